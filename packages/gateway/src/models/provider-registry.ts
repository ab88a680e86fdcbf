import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ErrorSource } from "./model-errors.ts";
import { MODEL_NAME_FORMS, parseModelName } from "./model-name.ts";
import { ModelTurnError, type ModelTurnRequest } from "./port.ts";
import {
  assertProviderSettings,
  PROVIDER_NAMES,
  PROVIDER_VARIABLES,
  type ProviderName,
  type ProviderSettings,
  type ProvidersSettings,
} from "./provider-settings.ts";
import { createKeywordModel } from "./scripted/keyword/keyword-model.ts";
import { createTurnsModel } from "./scripted/turns.ts";

/** A model that is ready to take a turn. */
export interface ModelTarget {
  readonly model: LanguageModelV4;
  readonly providerOptions: SharedV4ProviderOptions;
  readonly source: ErrorSource;
}

export interface ProviderRegistry {
  /** @throws ModelTurnError `NOT_CONFIGURED` when there is no such model, no key or no script. */
  resolve(request: ModelTurnRequest): ModelTarget;
}

export interface ProviderRegistryOptions {
  readonly providers: ProvidersSettings;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  readonly random: () => number;
}

type CreateModel = (model: string) => LanguageModelV4;

interface Provider {
  readonly createModel: CreateModel;
  readonly providerOptions: SharedV4ProviderOptions;
  readonly source: ErrorSource;
}

/**
 * Turns model names into models. Nothing else does, since the AI SDK would send a name that it does not know to a
 * vendor's network.
 *
 * @throws YagateError `INVALID_REQUEST` for settings that no request could be made with.
 */
export function createProviderRegistry(options: ProviderRegistryOptions): ProviderRegistry {
  const providers = new Map(
    PROVIDER_NAMES.flatMap((name) => {
      const settings = options.providers[name];
      return settings === undefined ? [] : [[name, createProvider(name, settings, options)] as const];
    }),
  );
  const keywordModel = createKeywordModel({ now: options.now });
  const scriptedSource: ErrorSource = { provider: "scripted", now: options.now };

  return {
    resolve(request) {
      const name = parseModelName(request.model);
      if (name === undefined) throw new ModelTurnError("NOT_CONFIGURED", `no such model here: ${MODEL_NAME_FORMS}`);
      if (name.provider === "scripted") {
        const model = name.model === "keyword" ? keywordModel : createTurnsModel(request);
        return { model, providerOptions: {}, source: scriptedSource };
      }
      const provider = providers.get(name.provider);
      if (provider === undefined) {
        const variable = PROVIDER_VARIABLES[name.provider].apiKey;
        throw new ModelTurnError("NOT_CONFIGURED", `${name.provider} has no API key here; set ${variable}`);
      }
      const { createModel, providerOptions, source } = provider;
      return { model: createModel(name.model), providerOptions, source };
    },
  };
}

function createProvider(name: ProviderName, settings: ProviderSettings, options: ProviderRegistryOptions): Provider {
  assertProviderSettings(settings, { apiKey: `providers.${name}.apiKey`, baseUrl: `providers.${name}.baseUrl` });
  const { fetch, now, random } = options;
  const { apiKey } = settings;
  const baseURL = toBaseUrl(settings.baseUrl ?? DEFAULT_BASE_URLS[name], name);
  const source: ErrorSource = { provider: name, apiKey, now };
  switch (name) {
    case "openai": {
      const openai = createOpenAI({ apiKey, baseURL, fetch });
      if (!isOpenAiOwn(baseURL)) return { createModel: openai.chat, providerOptions: {}, source };
      // Nothing is kept at OpenAI: reasoning comes back encrypted, and the next turn sends it along.
      return { createModel: openai.responses, providerOptions: { openai: { store: false } }, source };
    }
    case "anthropic":
      return { createModel: createAnthropic({ apiKey, baseURL, fetch }), providerOptions: {}, source };
    case "google": {
      // Gemini gives its calls no ids.
      const generateId = () => `call_${Array.from({ length: 4 }, () => randomPart(random)).join("")}`;
      return { createModel: createGoogle({ apiKey, baseURL, fetch, generateId }), providerOptions: {}, source };
    }
  }
}

const VERSION_PATHS: Readonly<Record<ProviderName, string>> = { openai: "/v1", anthropic: "/v1", google: "/v1beta" };

// Always given, because the AI SDK reads the environment where it gets no base URL.
const DEFAULT_BASE_URLS: Readonly<Record<ProviderName, string>> = {
  openai: "https://api.openai.com",
  anthropic: "https://api.anthropic.com",
  google: "https://generativelanguage.googleapis.com",
};

// Anthropic's own SDK takes ANTHROPIC_BASE_URL without the version, the AI SDK with it: both forms work.
function toBaseUrl(text: string, name: ProviderName): string {
  const url = new URL(text);
  return url.pathname === "/" ? `${url.origin}${VERSION_PATHS[name]}` : text;
}

/**
 * OpenAI itself, in any region, is spoken to in its Responses API, which carries reasoning from turn to turn. Behind
 * any other base URL stands a server that is compatible with it, and what those have in common is chat completions.
 */
function isOpenAiOwn(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === "api.openai.com" || hostname.endsWith(".api.openai.com");
}

function randomPart(random: () => number): string {
  return Math.floor(random() * 36 ** 5)
    .toString(36)
    .padStart(5, "0");
}
