import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { withoutBrackets } from "@yagate/lib/hosts/host-name";
import { defined } from "@yagate/lib/objects/defined";
import { createRedaction } from "@yagate/lib/redaction/redaction";
import { createSecretMask } from "@yagate/lib/redaction/secret-mask";
import { YagateError } from "@yagate/protocol";
import { LRUCache } from "lru-cache";
import { type ResponseForm, withBoundedResponses } from "./bounded-responses.ts";
import { withRepairedResponses } from "./chat/repair-responses.ts";
import { belowBaseUrl, keyDestinationProblem } from "./key-destination.ts";
import { missingProvider } from "./missing-provider.ts";
import type { ErrorSource } from "./model-errors.ts";
import { MODEL_NAME_FORMS, parseModelName } from "./model-name.ts";
import { withNormalizedResponses } from "./normalize-responses.ts";
import { type ModelServer, ModelTurnError, type ModelTurnRequest } from "./port.ts";
import { isKnownProvider } from "./provider-names.ts";
import { loadSdkProvider, randomCallId } from "./provider-sdk.ts";
import {
  apiKeyVariableOf,
  type ProviderSettings,
  type ProvidersSettings,
  providerProblems,
} from "./provider-settings.ts";
import { toBaseUrl } from "./provider-urls.ts";
import { createKeywordModel } from "./scripted/keyword/keyword-model.ts";
import { createTurnsModel } from "./scripted/turns.ts";
import { type SearchForm, searchFormOf } from "./search/search-form.ts";
import { settingsOf } from "./settings-of.ts";
import { withWholeReplies } from "./whole-reply.ts";
import type { WorkspaceProvider, WorkspaceProviders } from "./workspace-providers.ts";

/** A model and everything else that a turn needs. */
export interface ModelTarget {
  readonly model: LanguageModelV4;
  readonly providerOptions: SharedV4ProviderOptions;
  readonly source: ErrorSource;
  /** Whether the model supports only streaming requests. */
  readonly isStreamedOnly?: boolean;
  /** The form in which the model takes tool search; absent if it takes only functions. */
  readonly searchForm?: SearchForm;
}

export interface ProviderRegistry {
  /**
   * Returns the model for a turn.
   *
   * @throws ModelTurnError `NOT_CONFIGURED` if the model, provider, key or script is missing.
   */
  resolve(request: ModelTurnRequest): Promise<ModelTarget>;
  /** See {@link Models}. */
  loadProviders(): Promise<void>;
  /** See {@link Models}. */
  serverOf(workspaceId: string, model: string): Promise<ModelServer | undefined>;
}

/** The providers that workspaces configured, and the egress route to them. */
export interface WorkspaceAccess {
  readonly providers: WorkspaceProviders;
  /** Sends requests to base URLs that a workspace set. It must not reach the operator's allowlisted networks. */
  readonly fetch: typeof globalThis.fetch;
  /** Whether hosts are checked even for keys that were stored before keys were bound to hosts. Default: false. */
  readonly isStrict?: boolean;
}

export interface ProviderRegistryOptions {
  readonly providers: ProvidersSettings;
  /** Sends requests to the operator's base URLs and to the providers' own. */
  readonly fetch: typeof globalThis.fetch;
  readonly workspaces: WorkspaceAccess | undefined;
  readonly now: () => number;
  readonly random: () => number;
}

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["https:", 443],
  ["http:", 80],
]);

/** Maximum number of cached models per provider. */
const MAX_KEPT_MODELS = 100;

type CreateTarget = (model: string) => ModelTarget;
type LoadTarget = () => Promise<CreateTarget>;

/**
 * Creates the registry that resolves all model names. Without this registry, the AI SDK would send a request for an
 * unknown name to a vendor's network.
 *
 * @throws YagateError `INVALID_REQUEST` for settings that can never work.
 */
export function createProviderRegistry(options: ProviderRegistryOptions): ProviderRegistry {
  const { workspaces, now } = options;
  const own = new Map(Object.entries(options.providers).flatMap((entry) => toOwnTarget(entry, options)));
  const keywordModel = createKeywordModel();
  const scriptedSource: ErrorSource = { provider: "scripted", now };

  return {
    async resolve(request) {
      const name = parseModelName(request.model);
      if (name === undefined) throw notConfigured(`unknown model: ${MODEL_NAME_FORMS}`);
      if (name.provider === "scripted") {
        const model = name.model === "keyword" ? keywordModel : createTurnsModel(request);
        return { model, providerOptions: {}, source: scriptedSource };
      }
      const theirs = await workspaces?.providers.find(request.workspaceId, name.provider);
      const loadTarget =
        theirs === undefined || workspaces === undefined
          ? own.get(name.provider)
          : () => createWorkspaceTarget(name.provider, theirs, workspaces, options);
      if (loadTarget === undefined) throw notConfigured(missingProvider(name.provider));
      const createTarget = await loadTarget();
      return createTarget(name.model);
    },
    async loadProviders() {
      await Promise.all([...own.values()].map((load) => load()));
    },
    async serverOf(workspaceId, model) {
      const name = parseModelName(model);
      if (name === undefined || name.provider === "scripted") return undefined;
      const theirs = await workspaces?.providers.find(workspaceId, name.provider);
      const own = settingsOf(options.providers, name.provider);
      const baseUrl = theirs?.baseUrl ?? own?.baseUrl;
      const isReachable = theirs !== undefined || own !== undefined;
      if (!isReachable || (baseUrl === undefined && !isKnownProvider(name.provider))) return undefined;
      const { hostname, port, protocol } = new URL(toBaseUrl(name.provider, baseUrl));
      const address = withoutBrackets(hostname);
      return { address, port: port === "" ? (DEFAULT_PORTS.get(protocol) ?? 443) : Number(port) };
    },
  };
}

function toOwnTarget(
  [name, settings]: readonly [string, ProviderSettings | undefined],
  options: ProviderRegistryOptions,
): readonly (readonly [string, LoadTarget])[] {
  if (settings === undefined) return [];
  const [problem] = providerProblems(name, settings);
  if (problem !== undefined) {
    const field = problem.field === "name" ? "" : `.${problem.field}`;
    throw new YagateError("INVALID_REQUEST", `providers.${name}${field}: ${problem.message}`);
  }
  const { apiKey, baseUrl } = settings;
  if (apiKey === undefined && isKnownProvider(name)) return [];
  const keyName = apiKeyVariableOf(name);
  const baseURL = toBaseUrl(name, baseUrl);
  const access = {
    name,
    apiKey,
    keyName,
    baseURL,
    keyAdvice: `check ${keyName}`,
    fetch: options.fetch,
    isOwnUrl: true,
  };
  let loaded: CreateTarget | undefined;
  // Two first turns may both load it; a failure is not kept.
  const load = async () => {
    loaded ??= keepTargets(await createTarget(access, options));
    return loaded;
  };
  return [[name, load]];
}

/** Caches the models of a provider. Agents may use any model name, so the least recently used models are evicted. */
function keepTargets(create: CreateTarget): CreateTarget {
  const targets = new LRUCache<string, ModelTarget>({ max: MAX_KEPT_MODELS });
  return (model) => {
    const known = targets.get(model);
    if (known !== undefined) return known;
    const target = create(model);
    targets.set(model, target);
    return target;
  };
}

// The target is created again for each turn, so that no key stays in memory. This takes at most 2 ms (November 2026).
async function createWorkspaceTarget(
  name: string,
  { secretName, secret, baseUrl, isUnbound }: WorkspaceProvider,
  workspaces: WorkspaceAccess,
  options: ProviderRegistryOptions,
): Promise<CreateTarget> {
  if (secret === undefined) {
    const advice = `set it with PUT /v1/secrets/${secretName}`;
    throw notConfigured(`${name} needs the workspace secret ${secretName}, which does not exist; ${advice}`);
  }
  if (secret.auth?.type === "basic") {
    throw notConfigured(
      `${name} needs a key, but the workspace secret ${secretName} contains a user name and a password`,
    );
  }
  const ownUrl = settingsOf(options.providers, name)?.baseUrl;
  if (baseUrl === null && ownUrl === undefined && !isKnownProvider(name)) {
    throw notConfigured(`${name} needs a base URL; set one with PUT /v1/providers/${name}`);
  }
  const baseURL = toBaseUrl(name, baseUrl ?? ownUrl);
  const { hosts } = secret;
  const problem = keyDestinationProblem({
    provider: name,
    secretName,
    hosts,
    url: baseURL,
    isWorkspaceUrl: baseUrl !== null,
  });
  const isExempt = isUnbound && hosts.length === 0 && workspaces.isStrict !== true;
  if (problem !== undefined && !isExempt) throw notConfigured(problem);
  const keyAdvice = `check the workspace secret ${secretName}`;
  const isOwnUrl = baseUrl === null;
  const fetch = isOwnUrl ? options.fetch : workspaces.fetch;
  return createTarget(
    { name, apiKey: secret.value, keyName: secretName, baseURL, keyAdvice, fetch, isOwnUrl },
    options,
  );
}

function notConfigured(message: string): ModelTurnError {
  return new ModelTurnError("NOT_CONFIGURED", message);
}

async function createTarget(
  access: {
    readonly name: string;
    readonly apiKey: string | undefined;
    /** The name with which the key is masked in text from the provider. */
    readonly keyName: string;
    readonly baseURL: string;
    readonly keyAdvice: string;
    readonly fetch: typeof globalThis.fetch;
    /** Whether the base URL is the operator's or the provider's own. False if a workspace set it. */
    readonly isOwnUrl: boolean;
  },
  { now, random }: ProviderRegistryOptions,
): Promise<CreateTarget> {
  const { name, apiKey, keyName, baseURL, keyAdvice, isOwnUrl } = access;
  const fetch = belowBaseUrl(access.fetch, baseURL);
  const createProvider = await loadSdkProvider({ name, apiKey, baseURL, random });
  const sdkProvider = (form: ResponseForm, send: typeof globalThis.fetch) =>
    createProvider(withRepairedResponses(withBoundedResponses(send, form, name), form, name));
  const { createModel: createWhole, ...rest } = sdkProvider("whole", fetch);
  const { createModel: createStreamed } = sdkProvider("streamed", withWholeReplies(fetch, name));
  const keys = apiKey === undefined ? [] : [{ name: keyName, value: apiKey }];
  const source: ErrorSource = {
    provider: name,
    keyAdvice,
    now,
    ...(apiKey === undefined ? {} : { redaction: createRedaction(keys), mask: createSecretMask(keys) }),
    ...(isOwnUrl ? { origin: new URL(baseURL).origin } : {}),
  };
  return (model) => {
    const models = {
      whole: createWhole(model),
      streamed: createStreamed(model),
      reply: (response: Response) => sdkProvider("whole", async () => response).createModel(model),
    };
    const reading = { provider: name, newCallId: () => randomCallId(random) };
    const searchForm = searchFormOf(name, baseURL, model);
    return { model: withNormalizedResponses(models, reading), source, ...rest, ...defined({ searchForm }) };
  };
}
