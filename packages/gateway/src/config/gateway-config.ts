import { X509Certificate } from "node:crypto";
import { isIP, type LookupFunction } from "node:net";
import { isAbsolute, resolve } from "node:path";
import type { TracerProvider } from "@opentelemetry/api";
import { searchSettingsSchema } from "@yagate/builtins/search/search-settings";
import { providerProblems } from "@yagate/models/provider-settings";
import {
  DEFAULT_APPROVAL_EXPIRY_MS,
  DEFAULT_AUDIT_RETENTION_DAYS,
  DEFAULT_CALLBACK_EXPIRY_MS,
  EXECUTION_TOKEN_PREFIX,
  type FieldError,
  parseSigningSecret,
  planNameSchema,
  planSchema,
  toFieldErrors,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import * as z from "zod";
import { MAX_CALLBACK_EXPIRY_MS } from "../secrets/callback-tokens.ts";
import { parseMasterKeys } from "../secrets/keyring.ts";
import { isWebOrigin } from "./web-origin.ts";

/** The port that is listened on when nobody says another. */
export const DEFAULT_PORT = 4_820;

const MAX_APPROVAL_EXPIRY_MS = 31_536_000_000;

/** Each set of networks has connections of its own. */
const MAX_NETWORK_WORKSPACES = 1_000;

/** What a header can carry, and a person can copy without losing a part. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

const httpUrlSchema = z.url({ protocol: /^https?$/, error: "expected an http or https URL" });

/** A model provider's access. */
const providerSchema = z.strictObject({
  apiKey: z.string().optional(),
  /** Where its API is, when not at the provider's own address. */
  baseUrl: z.string().optional(),
});

/** By name: the known providers, and OpenAI-compatible servers under any other. */
const providersSchema = z.record(z.string(), providerSchema.optional()).superRefine((providers, context) => {
  const given = Object.entries(providers).filter(([, settings]) => settings !== undefined);
  for (const [name, settings] of given) {
    for (const { field, message } of providerProblems(name, settings ?? {})) {
      context.addIssue({ code: "custom", path: field === "name" ? [name] : [name, field], message });
    }
  }
});

const cidrSchema = z.string().refine(isCidr, "expected a network such as 10.0.0.0/8 or fd00::/8");

const workspaceCidrsSchema = z
  .record(
    workspaceIdSchema,
    z.array(cidrSchema, 'expected a list such as ["10.0.0.0/8"]'),
    'expected an object such as {"ws_…":["10.0.0.0/8"]}, by ids of workspaces',
  )
  .refine(
    (networks) => Object.keys(networks).length <= MAX_NETWORK_WORKSPACES,
    `expected at most ${MAX_NETWORK_WORKSPACES} workspaces`,
  );

const plansSchema = z.record(
  planNameSchema,
  planSchema.partial(),
  'expected an object such as {"standard":{"callsPerMinute":30}}, by names of plans',
);

const originSchema = z
  .string()
  .refine(
    isWebOrigin,
    "expected an origin as browsers write it, such as https://app.example (http: only on localhost)",
  );

const lookupSchema = z.custom<LookupFunction>(
  (value) => typeof value === "function",
  "expected a function like dns.lookup",
);

const tracerProviderSchema = z.custom<TracerProvider>(
  (value) => typeof value === "object" && value !== null && "getTracer" in value,
  "expected an OpenTelemetry tracer provider",
);

/** What `createGateway` takes; every field has a default but `apiKey`, without which nobody could call it. */
export const gatewayConfigSchema = z.strictObject({
  /** 0 picks a free one. */
  port: z.int().min(0).max(65_535).default(DEFAULT_PORT),
  host: z
    .string()
    .refine(isHost, "expected an address or the name of a host, without a port or brackets")
    .default("127.0.0.1"),
  /** Made when it is missing; one process at a time, unless there is a `databaseUrl`. */
  dataDir: z.string().min(1).default("./.yagate"),
  /** A PostgreSQL database, which any number of gateways share, in place of the journal in `dataDir`. */
  databaseUrl: z
    .string()
    .refine(
      isDatabaseUrl,
      "expected postgres://user:password@host:port/database, special characters of the password as %40 and so on",
    )
    .optional(),
  /** Connections that this process opens to the database, at most. */
  databaseConnections: z.int().min(8).max(1_000).default(12),
  /** Whether a start takes the database to this version's schema, or refuses one that lacks steps. */
  migrations: z.enum(["apply", "check"]).default("apply"),
  /** The bootstrap key: all scopes in the workspace `default`; compared at each request, never stored. */
  apiKey: z
    .string()
    .min(16, "expected at least 16 characters")
    .regex(VISIBLE_ASCII, "expected printable ASCII characters without spaces")
    .refine(isNoToken, `expected no ${EXECUTION_TOKEN_PREFIX} at its beginning: execution tokens begin like that`)
    .optional(),
  /** `kid:base64,…` of 32 bytes each, the first one active; a key file in the data directory otherwise. */
  masterKeys: z.string().superRefine(refineMasterKeys).optional(),
  /** Lets `yagate serve` start with keys that could be guessed; the log warns of them. */
  allowWeakKeys: z.boolean().default(false),
  /** Networks that hosts which a person wrote down may lie in although they are private: those of the workspace `default`. */
  allowCidrs: z.array(cidrSchema).default([]),
  /**
   * The same for workspaces other than `default`, by their ids. While it is absent, `allowCidrs` count for all workspaces;
   * once it is there, even empty, for `default` alone.
   */
  workspaceCidrs: workspaceCidrsSchema.optional(),
  /** Networks that nothing is sent to, whatever else is said, such as public addresses that lead inside. */
  denyCidrs: z.array(cidrSchema).default([]),
  /** Ports of https URLs. */
  allowPorts: z.array(z.int().min(1).max(65_535)).min(1).default([443]),
  /** Where the gateway is reached from outside. */
  publicUrl: httpUrlSchema.refine(isPlainUrl, "expected a URL without a user, a query and a fragment").optional(),
  /** Origins whose pages may use the API in browsers. */
  corsOrigins: z.array(originSchema).default([]),
  /** Where these docs are published: problems then link to the page about their code. */
  docsUrl: httpUrlSchema.refine(isPlainUrl, "expected a URL without a user, a query and a fragment").optional(),
  /** The current signing secret `default` of the workspace `default`. */
  signingSecret: z.string().refine(isSigningSecret, "expected whsec_ and the base64 of 24 to 64 bytes").optional(),
  providers: providersSchema.default({}),
  /**
   * Whether keys of providers that workspaces stored before such keys were bound to hosts are refused at once, where
   * their secret doesn't name the host; otherwise they work until secret or provider is written.
   */
  strictSecretHosts: z.boolean().default(false),
  /** Prices of models, over those that come with the gateway. */
  pricesFile: z.string().min(1).optional(),
  /** Figures of plans by name, over those that the gateway brings; what is left out of a new one is as in `standard`. */
  plans: plansSchema.default({}),
  /** What `web_search` searches with; without it agents may list the tool, and its calls fail. */
  search: searchSettingsSchema.optional(),
  /** Called as `dns.lookup` with `all: true`. */
  lookup: lookupSchema.optional(),
  /** PEM certificates that are trusted beside the system's, for private authorities. */
  ca: z.array(z.string().refine(isCertificate, "expected a PEM certificate")).default([]),
  /** Executions that run at the same time in this process; those that wait do not count. */
  maxConcurrentExecutions: z.int().min(1).max(100_000).default(500),
  /** Signed calls that this process has on their way to one handler URL at the same time; further ones wait. */
  endpointConcurrency: z.int().min(1).max(10_000).default(64),
  /** Calls that may wait in memory for one handler URL; executions of further ones are suspended. 0: they fail with `RATE_LIMITED`. */
  endpointQueue: z.int().min(0).max(100_000).default(1_000),
  /** Days that executions are kept after their end; for ever without it. */
  executionRetentionDays: z.int().min(1).max(36_500).optional(),
  /** Days that entries of the audit log are kept. */
  auditRetentionDays: z.int().min(1).max(36_500).default(DEFAULT_AUDIT_RETENTION_DAYS),
  /**
   * Whose `X-Forwarded-For` is believed when the audit log says where a request came from: the number of proxies in front
   * of the gateway, or their networks. Default: nobody's.
   */
  trustProxy: z.union([z.int().min(0).max(16), z.array(cidrSchema)]).default(0),
  /** Days that what was sent and what came back in an attempt is kept. */
  exchangeRetentionDays: z.int().min(0).max(36_500).default(7),
  /** A data directory with less room on its disk than this makes the gateway not ready; 0: any will do. */
  minFreeDiskBytes: z.int().min(0).default(67_108_864),
  /** How long `stop` says that the gateway is not ready before it takes nothing more, in ms. */
  drainNoticeMs: z.int().min(0).max(600_000).default(0),
  /** How long a tool call waits for a person, in ms; default 7 days. */
  approvalExpiryMs: z.int().min(1).max(MAX_APPROVAL_EXPIRY_MS).default(DEFAULT_APPROVAL_EXPIRY_MS),
  /** How long the result of an asynchronous tool call is waited for, in ms; default 24 hours. */
  callbackExpiryMs: z.int().min(1).max(MAX_CALLBACK_EXPIRY_MS).default(DEFAULT_CALLBACK_EXPIRY_MS),
  /** Whether a key may approve tool calls of executions that it has started itself; the record says so. */
  allowSelfApproval: z.boolean().default(false),
  /** How long `stop` waits for calls that are on their way, in ms. */
  drainMs: z.int().min(0).max(600_000).default(10_000),
  /** What spans hold of arguments and results: nothing, or their beginnings without what looks like a secret. */
  traceContent: z.enum(["none", "preview"]).default("none"),
  /** Writes the spans; the one that is registered for the process otherwise. */
  tracerProvider: tracerProviderSchema.optional(),
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("warn"),
});

/** Options of `createGateway`. */
export type GatewayConfig = z.input<typeof gatewayConfigSchema>;
/** The same with nothing left open. */
export type CompleteConfig = z.output<typeof gatewayConfigSchema>;

/** A configuration with its defaults filled in, or everything that is wrong with it. */
export type ParsedConfig =
  | { readonly config: CompleteConfig; readonly problems: readonly [] }
  | { readonly config?: undefined; readonly problems: readonly FieldError[] };

/** Checks a configuration of any origin. No value is repeated in a problem, since many are secret. */
export function parseConfig(config: unknown): ParsedConfig {
  const parsed = gatewayConfigSchema.safeParse(config);
  if (!parsed.success) return { problems: toFieldErrors(parsed.error) };
  const { dataDir, pricesFile, search } = parsed.data;
  const files = {
    ...(pricesFile === undefined ? {} : { pricesFile: toAbsolute(pricesFile) }),
    ...(search?.local === undefined
      ? {}
      : { search: { ...search, local: { folder: toAbsolute(search.local.folder) } } }),
  };
  return { config: { ...parsed.data, ...files, dataDir: toAbsolute(dataDir) }, problems: [] };
}

/**
 * Checks a configuration and fills in the defaults.
 *
 * @throws YagateError `INVALID_REQUEST` that names every wrong field.
 */
export function completeConfig(config: GatewayConfig): CompleteConfig {
  const parsed = parseConfig(config);
  if (parsed.config !== undefined) return parsed.config;
  const problems = parsed.problems.map(({ path, message }) => `${path}: ${message}`);
  throw new YagateError("INVALID_REQUEST", `the configuration is not valid: ${problems.join("; ")}`, {
    hint: "correct the named settings and start again",
  });
}

function toAbsolute(path: string): string {
  return isAbsolute(path) ? path : resolve(path);
}

function isCidr(text: string): boolean {
  const [address, prefix, ...rest] = text.split("/");
  const family = address?.includes("%") ? 0 : isIP(address ?? "");
  if (family === 0 || rest.length > 0 || prefix === undefined || !/^\d{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (family === 4 ? 32 : 128);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(text);
}

function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, searchParams } = new URL(text);
  return /^postgres(ql)?:$/.test(protocol) && (hostname !== "" || searchParams.has("host"));
}

function isNoToken(text: string): boolean {
  return !text.startsWith(EXECUTION_TOKEN_PREFIX);
}

function isPlainUrl(text: string): boolean {
  // What is no URL at all was reported already.
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === "");
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

function refineMasterKeys(text: string, context: z.RefinementCtx): void {
  try {
    parseMasterKeys(text);
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
}

function isSigningSecret(text: string): boolean {
  try {
    parseSigningSecret(text);
    return true;
  } catch {
    return false;
  }
}
