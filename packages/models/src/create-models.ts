import { runSdkTurn } from "./ai-sdk-turn.ts";
import { checkModel } from "./check-model.ts";
import { underKeyMask } from "./masked-turn.ts";
import { parseModelName } from "./model-name.ts";
import type { Models } from "./port.ts";
import { loadPrices } from "./prices/load-prices.ts";
import { mostCost } from "./prices/most-cost.ts";
import type { Prices } from "./prices/prices.ts";
import { createProviderRegistry, type WorkspaceAccess } from "./provider-registry.ts";
import type { ProvidersSettings } from "./provider-settings.ts";

/** Dependencies of {@link createModels}. */
export interface ModelsOptions {
  readonly providers: ProvidersSettings;
  /** Sends requests to the operator's providers through the egress guard. */
  readonly fetch: typeof globalThis.fetch;
  /** Providers configured by workspaces; none by default. */
  readonly workspaces?: WorkspaceAccess;
  /** Prices of models. Default: the table in the package. */
  readonly prices?: Prices;
  /** Returns the time in ms since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** Returns a number of at least 0 and less than 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Creates the model layer from the operator's providers, the workspaces' providers and the scripted models.
 *
 * @throws YagateError `INVALID_REQUEST` for settings that can never work.
 */
export function createModels(options: ModelsOptions): Models {
  const { providers, fetch, workspaces, prices = loadPrices(), now = Date.now, random = Math.random } = options;
  const registry = createProviderRegistry({ providers, fetch, workspaces, now, random });
  const priceOf = (model: string) => {
    const name = parseModelName(model);
    return name === undefined ? undefined : prices.find(name.provider, name.model, now());
  };
  return {
    async runTurn(request) {
      request.signal.throwIfAborted();
      const target = await registry.resolve(request);
      return underKeyMask(target.source.mask, request, (masked) => runSdkTurn(target, masked, prices));
    },
    loadProviders: () => registry.loadProviders(),
    serverOf: (workspaceId, model) => registry.serverOf(workspaceId, model),
    isPriced: (model) => parseModelName(model)?.provider === "scripted" || priceOf(model) !== undefined,
    mostCostOf(model, size) {
      const price = priceOf(model);
      return price === undefined ? undefined : mostCost(size, price);
    },
    check: (model, tools, ofWorkspace) => checkModel(model, tools, { providers, ofWorkspace, prices, now: now() }),
  };
}
