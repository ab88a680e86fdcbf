import { X509Certificate } from "node:crypto";
import { isIP, type LookupFunction } from "node:net";
import { isAbsolute, resolve } from "node:path";
import type { TracerProvider } from "@opentelemetry/api";
import { searchSettingsSchema } from "@yagate/builtins/search/search-settings";
import { isLoopbackHost } from "@yagate/lib/hosts/loopback-host";
import { isObject } from "@yagate/lib/json/json-object";
import { providerProblems } from "@yagate/models/provider-settings";
import {
  DEFAULT_APPROVAL_EXPIRY_MS,
  DEFAULT_AUDIT_RETENTION_DAYS,
  DEFAULT_CALLBACK_EXPIRY_MS,
  EXECUTION_TOKEN_PREFIX,
  type ExecutionEvent,
  type FieldError,
  isSigningSecret,
  planNameSchema,
  planSchema,
  resourceNameSchema,
  toFieldErrors,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import { MAX_CALLBACK_EXPIRY_MS } from "@yagate/secrets/callback-tokens";
import { parseMasterKeys } from "@yagate/secrets/keyring";
import * as z from "zod";
import { consoleProblems } from "./console-setting.ts";
import { developmentSchema } from "./development-config.ts";
import { audienceProblems, mcpIssuersSchema } from "./mcp-issuers.ts";

/** Default port of the gateway. */
export const DEFAULT_PORT = 4_820;

const MAX_APPROVAL_EXPIRY_MS = 31_536_000_000;

/**
 * Maximum number of workspaces with their own networks. It is limited because each set of networks has separate
 * connections.
 */
const MAX_NETWORK_WORKSPACES = 1_000;

/** Matches printable ASCII without spaces, which is valid in a header and safe to copy. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

const httpUrlSchema = z.url({ protocol: /^https?$/, error: "expected an http or https URL" });

/** Access to a model provider. */
const providerSchema = z.strictObject({
  apiKey: z.string().optional(),
  /** The URL of the provider's API; default: the provider's own URL. */
  baseUrl: z.string().optional(),
});

/** Providers by name. Any name other than that of a known provider stands for an OpenAI-compatible server. */
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
    'expected an object such as {"ws_…":["10.0.0.0/8"]}, by workspace id',
  )
  .refine(
    (networks) => Object.keys(networks).length <= MAX_NETWORK_WORKSPACES,
    `expected at most ${MAX_NETWORK_WORKSPACES} workspaces`,
  );

const plansSchema = z.record(
  planNameSchema,
  planSchema.partial(),
  'expected an object such as {"standard":{"callsPerMinute":30}}, by plan name',
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
  (value) => isObject(value) && "getTracer" in value,
  "expected an OpenTelemetry tracer provider",
);

const eventListenerSchema = z.custom<(event: ExecutionEvent) => void>(
  (value) => typeof value === "function",
  "expected a function that takes an event",
);

/**
 * The options of `createGateway`. All are optional. Without `apiKey`, only API keys that were created earlier can call
 * the gateway.
 */
export const gatewayConfigSchema = z.strictObject({
  /** The port to listen on, 0 to 65535; 0 selects a free one. Default: 4820. */
  port: z.int().min(0).max(65_535).default(DEFAULT_PORT),
  /** The address or host name to listen on, without a port or brackets. Default: `127.0.0.1`. */
  host: z
    .string()
    .refine(isHost, "expected an address or a host name, without a port or brackets")
    .default("127.0.0.1"),
  /**
   * The data directory. The gateway creates it if it does not exist. Without a `databaseUrl`, only one process at a
   * time can use the directory. Default: `./.yagate`.
   */
  dataDir: z.string().min(1).default("./.yagate"),
  /** The URL of a PostgreSQL database, which replaces the store in `dataDir`. Any number of gateways can share it. */
  databaseUrl: z
    .string()
    .refine(
      isDatabaseUrl,
      "expected postgres://user:password@host:port/database, with special characters in the password percent-encoded (%40 for @)",
    )
    .optional(),
  /** Maximum number of database connections of this process, 8 to 1000. Default: 12. */
  databaseConnections: z.int().min(8).max(1_000).default(12),
  /**
   * How the gateway treats missing migrations at startup: `apply` migrates the database; with `check`, the gateway
   * fails to start. Default: `apply`.
   */
  migrations: z.enum(["apply", "check"]).default("apply"),
  /**
   * The bootstrap key: at least 16 printable ASCII characters without spaces. It has all scopes in the workspace
   * `default`. The gateway compares it with the key of each request and never stores it.
   */
  apiKey: z
    .string()
    .min(16, "expected at least 16 characters")
    .regex(VISIBLE_ASCII, "expected printable ASCII characters without spaces")
    .refine(
      isNoToken,
      `expected a key that does not start with ${EXECUTION_TOKEN_PREFIX}, which is the prefix of execution tokens`,
    )
    .optional(),
  /**
   * Master keys, separated by commas: `id:base64` of 32 bytes each. The first one is active. Default: the keys in
   * `master.key` in the data directory; the gateway creates this file if it does not exist.
   */
  masterKeys: z.string().superRefine(refineMasterKeys).optional(),
  /**
   * Whether `yagate serve` starts with keys that could be guessed, and only logs a warning for each. Default: false.
   */
  allowWeakKeys: z.boolean().default(false),
  /**
   * Private networks, as CIDR blocks, in which the gateway may reach hosts that the workspace `default` configured. If
   * `workspaceCidrs` is absent, this applies to all workspaces. Default: none.
   */
  allowCidrs: z.array(cidrSchema).default([]),
  /**
   * Private networks, as in `allowCidrs`, for other workspaces: by workspace id, for at most 1000 workspaces. If this
   * is absent, `allowCidrs` applies to all workspaces. If it is present, even empty, `allowCidrs` applies only to
   * `default`.
   */
  workspaceCidrs: workspaceCidrsSchema.optional(),
  /**
   * Names of development workspaces. In these, ended calls of handlers may be redelivered to any URL. At most 100.
   * Default: none.
   */
  developmentWorkspaces: z.array(resourceNameSchema).max(100).default([]),
  /**
   * Networks to which the gateway never sends requests, even if another setting allows it. Use it, for example, for
   * public addresses that lead to internal hosts. Default: none.
   */
  denyCidrs: z.array(cidrSchema).default([]),
  /** Ports that https URLs may use. Default: 443. */
  allowPorts: z.array(z.int().min(1).max(65_535)).min(1).default([443]),
  /** The gateway's URL as seen from outside, which callbacks use: http or https, without user, query or fragment. */
  publicUrl: httpUrlSchema.refine(isPlainUrl, "expected a URL without credentials, query or fragment").optional(),
  /**
   * Authorization servers whose OAuth access tokens MCP hosts may use at `/mcp` instead of API keys, at most 100:
   * `{ issuer, audience, workspace, scopes }`. It requires `publicUrl`. Default: none.
   */
  mcpIssuers: mcpIssuersSchema.default([]),
  /** Origins whose pages may call the API from a browser, such as `https://app.example`. Default: none. */
  corsOrigins: z.array(originSchema).default([]),
  /**
   * The URL at which the documentation is published. If it is set, error responses link to the page about their code.
   */
  docsUrl: httpUrlSchema.refine(isPlainUrl, "expected a URL without credentials, query or fragment").optional(),
  /** The current signing secret `default` of the workspace `default`: `whsec_` and the base64 of 24 to 64 bytes. */
  signingSecret: z.string().refine(isSigningSecret, "expected whsec_ and the base64 of 24 to 64 bytes").optional(),
  /**
   * Model providers by name. Any name other than that of a known provider stands for an OpenAI-compatible server.
   * Default: none.
   */
  providers: providersSchema.default({}),
  /**
   * Whether to reject provider keys whose secret does not list the provider's host. Workspaces could store such keys
   * before keys were bound to hosts. Default: false, so that these keys work until the secret or the provider is saved
   * again.
   */
  strictSecretHosts: z.boolean().default(false),
  /** The path of a file with model prices. Its entries override the gateway's own prices. */
  pricesFile: z.string().min(1).optional(),
  /**
   * Limits of plans, by plan name. They override the gateway's own limits. A new plan inherits missing limits from
   * `standard`.
   */
  plans: plansSchema.default({}),
  /** The providers of `web_search`. Without them, agents can have the tool, but its calls fail. */
  search: searchSettingsSchema.optional(),
  /** Resolves host names; called like `dns.lookup` with `all: true`. Default: `dns.lookup`. */
  lookup: lookupSchema.optional(),
  /** PEM certificates of private authorities, which are trusted in addition to those of the system. Default: none. */
  ca: z.array(z.string().refine(isCertificate, "expected a PEM certificate")).default([]),
  /**
   * Maximum number of executions that run at the same time in this process, 1 to 100,000; suspended ones do not count.
   * Default: 500.
   */
  maxConcurrentExecutions: z.int().min(1).max(100_000).default(500),
  /**
   * Maximum number of signed calls of this process that are in flight to one handler URL, 1 to 10,000; further calls
   * wait. Default: 64.
   */
  endpointConcurrency: z.int().min(1).max(10_000).default(64),
  /**
   * Maximum number of calls that wait in memory for one handler URL, 0 to 100,000. The execution of each further call
   * is suspended. With 0, calls that would have to wait fail with `RATE_LIMITED`. Default: 1000.
   */
  endpointQueue: z.int().min(0).max(100_000).default(1_000),
  /** Number of days that executions are kept after their end, 1 to 36,500. Default: forever. */
  executionRetentionDays: z.int().min(1).max(36_500).optional(),
  /** Number of days that entries of the audit log are kept, 1 to 36,500. Default: 90. */
  auditRetentionDays: z.int().min(1).max(36_500).default(DEFAULT_AUDIT_RETENTION_DAYS),
  /**
   * The proxies whose `X-Forwarded-For` the audit log trusts: the number of proxies in front of the gateway, 0 to 16,
   * or their networks. Default: 0.
   */
  trustProxy: z.union([z.int().min(0).max(16), z.array(cidrSchema)]).default(0),
  /** Number of days that the request and response of an attempt are kept, 0 to 36,500. Default: 7. */
  exchangeRetentionDays: z.int().min(0).max(36_500).default(7),
  /**
   * Minimum free space in bytes on the disk of the data directory, below which the gateway is not ready. 0 disables the
   * check. Default: 64 MiB.
   */
  minFreeDiskBytes: z.int().min(0).default(67_108_864),
  /**
   * Time in ms for which `stop` reports that the gateway is not ready before it rejects requests, 0 to 600,000.
   * Default: 0.
   */
  drainNoticeMs: z.int().min(0).max(600_000).default(0),
  /** Maximum time in ms that a tool call waits for an approval, up to 365 days. Default: 7 days. */
  approvalExpiryMs: z.int().min(1).max(MAX_APPROVAL_EXPIRY_MS).default(DEFAULT_APPROVAL_EXPIRY_MS),
  /** Maximum time in ms that an asynchronous tool call waits for its callback, up to 30 days. Default: 24 hours. */
  callbackExpiryMs: z.int().min(1).max(MAX_CALLBACK_EXPIRY_MS).default(DEFAULT_CALLBACK_EXPIRY_MS),
  /**
   * Whether a key may approve tool calls of executions that it started itself. Such an approval is marked in the
   * record. Default: false.
   */
  allowSelfApproval: z.boolean().default(false),
  /** Maximum time in ms that `stop` waits for calls in flight, 0 to 600,000. Default: 10,000. */
  drainMs: z.int().min(0).max(600_000).default(10_000),
  /**
   * Whether spans include the beginnings of arguments and results (`preview`), from which text that looks like a secret
   * is removed. Default: `none`.
   */
  traceContent: z.enum(["none", "preview"]).default("none"),
  /** The tracer provider that creates the spans. Default: the one that is registered for the process. */
  tracerProvider: tracerProviderSchema.optional(),
  /**
   * Called with each event of an execution that this process has stored, in the order of the execution's log. It must
   * return quickly, because executions wait for it. An exception is logged and has no other effect. Default: none.
   */
  onEvent: eventListenerSchema.optional(),
  /**
   * Whether to serve the console at `/console`: `on`, `off`, or `auto` for `on` where browsers can sign in safely, which
   * is on a loopback address or at a `publicUrl` with https. Elsewhere, the gateway does not start with `on`. Default:
   * `off`.
   */
  console: z.enum(["on", "off", "auto"]).default("off"),
  /** Settings for the development of handlers; never for production. Default: none. */
  development: developmentSchema.optional(),
  /** The lowest level that is logged. Default: `warn`. */
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("warn"),
});

/** Options for `createGateway`. */
export type GatewayConfig = z.input<typeof gatewayConfigSchema>;
/** A configuration with all defaults filled in. */
export type CompleteConfig = z.output<typeof gatewayConfigSchema>;

/** A configuration with all defaults filled in, or all problems with an invalid one. */
export type ParsedConfig =
  | { readonly config: CompleteConfig; readonly problems: readonly [] }
  | { readonly config?: undefined; readonly problems: readonly FieldError[] };

/** Validates a configuration from any source. A problem never contains a value, because many values are secret. */
export function parseConfig(config: unknown): ParsedConfig {
  const parsed = gatewayConfigSchema.safeParse(config);
  const audiences = audienceProblems(config);
  if (!parsed.success) return { problems: [...toFieldErrors(parsed.error), ...audiences] };
  const problems = [...audiences, ...consoleProblems(parsed.data)];
  if (problems.length > 0) return { problems };
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
 * Validates a configuration and fills in the defaults. Paths become absolute.
 *
 * @throws YagateError `INVALID_REQUEST` with a message that lists every invalid field.
 */
export function completeConfig(config: GatewayConfig): CompleteConfig {
  const parsed = parseConfig(config);
  if (parsed.config !== undefined) return parsed.config;
  const problems = parsed.problems.map(({ path, message }) => `${path}: ${message}`);
  throw new YagateError("INVALID_REQUEST", `the configuration is not valid: ${problems.join("; ")}`, {
    hint: "correct these settings and start again",
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
  // Another check has already reported a string that is not a URL.
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

/**
 * Matches a host name or an IPv6 address in brackets. Stricter than the URL parser, which accepts a label such as `*`.
 */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Returns whether a string is the origin of a web page exactly as browsers write it in `Origin`: https, or http with a
 * loopback name, in lower case and punycode, without the default port or a path. `*` and `null` are not origins.
 */
function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || !HOST_NAME.test(hostname)) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
