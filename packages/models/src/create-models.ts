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

/** What {@link createModels} needs. */
export interface ModelsOptions {
  readonly providers: ProvidersSettings;
  /** The way out to these providers: the egress room's. */
  readonly fetch: typeof globalThis.fetch;
  /** What workspaces configured for themselves; nothing by default. */
  readonly workspaces?: WorkspaceAccess;
  /** What models cost; the table that comes with the gateway by default. */
  readonly prices?: Prices;
  /** ms since the epoch; `Date.now` by default. */
  readonly now?: () => number;
  /** At least 0, below 1; `Math.random` by default. */
  readonly random?: () => number;
}

/**
 * Makes the model layer: the providers that have settings, those of the workspaces, and the scripted models.
 *
 * @throws YagateError `INVALID_REQUEST` for settings that no request could be made with.
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
