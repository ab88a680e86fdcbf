import { runSdkTurn } from "./ai-sdk-turn.ts";
import { checkModel } from "./check-model.ts";
import type { Models } from "./port.ts";
import { createProviderRegistry } from "./provider-registry.ts";
import type { ProvidersSettings } from "./provider-settings.ts";

/** What {@link createModels} needs. */
export interface ModelsOptions {
  readonly providers: ProvidersSettings;
  /** The only way out: the egress room's. */
  readonly fetch: typeof globalThis.fetch;
  /** ms since the epoch; `Date.now` by default. */
  readonly now?: () => number;
  /** At least 0, below 1; `Math.random` by default. */
  readonly random?: () => number;
}

/**
 * Makes the model layer: OpenAI, Anthropic and Google for those of them that have settings, and the scripted models.
 *
 * @throws YagateError `INVALID_REQUEST` for settings that no request could be made with.
 */
export function createModels(options: ModelsOptions): Models {
  const { providers, fetch, now = Date.now, random = Math.random } = options;
  const registry = createProviderRegistry({ providers, fetch, now, random });
  return {
    async runTurn(request) {
      request.signal.throwIfAborted();
      return runSdkTurn(registry.resolve(request), request);
    },
    check: (model, tools) => checkModel(model, tools, providers),
  };
}
