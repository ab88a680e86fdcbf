import { runSdkTurn } from "./ai-sdk-turn.ts";
import { checkModel } from "./check-model.ts";
import { underKeyMask } from "./masked-key.ts";
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
  /** The egress route to these providers, which the gateway composes. */
  readonly fetch: typeof globalThis.fetch;
  /** Providers configured by workspaces; none by default. */
  readonly workspaces?: WorkspaceAccess;
  /** Prices of models; default: the table of the package. */
  readonly prices?: Prices;
  /** ms since the epoch; `Date.now` by default. */
  readonly now?: () => number;
  /** At least 0, below 1; `Math.random` by default. */
  readonly random?: () => number;
}

/**
 * Creates the model layer: configured providers, those of workspaces, and the scripted models.
 *
 * @throws YagateError `INVALID_REQUEST` for settings that could never work.
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
    serverOf: (workspaceId, model) => registry.serverOf(workspaceId, model),
    isPriced: (model) => parseModelName(model)?.provider === "scripted" || priceOf(model) !== undefined,
    mostCostOf(model, size) {
      const price = priceOf(model);
      return price === undefined ? undefined : mostCost(size, price);
    },
    check: (model, tools, ofWorkspace) => checkModel(model, tools, { providers, ofWorkspace, prices, now: now() }),
  };
}
