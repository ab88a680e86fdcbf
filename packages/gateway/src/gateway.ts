import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import type { MigrationReport } from "@yagate/store/postgres/migrations/migrate";
import type { ComposedGateway } from "./compose/compose-gateway.ts";
import { composeGateway } from "./compose/compose-gateway.ts";
import { type CompleteConfig, completeConfig, type GatewayConfig } from "./config/gateway-config.ts";
import { findWeakKeys } from "./config/weak-keys.ts";
import { createApp } from "./http/create-app.ts";
import { createClientAddress } from "./http/requests/client-address.ts";
import { createHostCheck } from "./http/requests/host-check.ts";
import { CONSOLE_PATH } from "./http/responses/console-pages.ts";
import { createHttpServer } from "./http/server.ts";

/** A gateway in this process. */
export interface Gateway {
  /**
   * Opens the store, resumes unfinished executions, and listens.
   *
   * @returns the URL at which the gateway listens.
   * @throws YagateError with a message that says what to correct: the data directory is in use, the database cannot be
   *   reached or was migrated by a newer version, the master keys do not match, or the port is in use. `CONFLICT` if
   *   the gateway was already started.
   */
  start(): Promise<{ readonly url: string }>;
  /**
   * Stops the gateway. It first reports for `drainNoticeMs` that it is not ready, then rejects new requests, waits up
   * to `drainMs` for calls in flight, and closes everything. Further calls wait for the same shutdown.
   */
  stop(): Promise<void>;
  /**
   * The URL at which the gateway listens. Reading it throws YagateError `CONFLICT` if the gateway has not been started.
   */
  readonly url: string;
  /**
   * Creates a link that signs one browser in to the console with the rights of the bootstrap key, once, within 10
   * minutes. Undefined if the gateway does not serve the console.
   */
  createConsoleLink(): Promise<string | undefined>;
  /** Returns the signing secret `default` of the workspace `default`, for handlers in the same process. */
  revealSigningSecret(): Promise<string>;
}

/**
 * Creates a gateway. It opens nothing before `start`.
 *
 * @throws YagateError `INVALID_REQUEST` with a message that lists every invalid setting.
 */
export function createGateway(config: GatewayConfig): Gateway {
  const complete = completeConfig(config);
  let started: { readonly composed: ComposedGateway; readonly url: string; close(): Promise<void> } | undefined;
  let stopping: Promise<void> | undefined;

  function running() {
    if (started !== undefined) return started;
    throw new YagateError("CONFLICT", "the gateway has not been started", { hint: "call start() first" });
  }

  return {
    async start() {
      if (started !== undefined) throw new YagateError("CONFLICT", "the gateway has already been started");
      await stopping;
      const composed = await composeGateway(complete);
      try {
        const server = createHttpServer((closing) => appOf(composed, complete, closing));
        const { url, address } = await server.listen(complete.host, complete.port);
        composed.onListening(url, address);
        warnOfWeakKeys(complete, composed.logger);
        started = { composed, url, close: () => server.close() };
        return { url };
      } catch (error) {
        await composed.close();
        throw error;
      }
    },
    async stop() {
      if (started === undefined) return stopping;
      const { composed, close } = started;
      started = undefined;
      // A second call waits for the same shutdown. If it returned earlier, the application could exit and interrupt the
      // shutdown.
      stopping = drain(composed, complete.drainNoticeMs)
        .then(close)
        .then(() => composed.close());
      return stopping;
    },
    get url() {
      return running().url;
    },
    async createConsoleLink() {
      const { composed, url } = running();
      const secret = await composed.console?.sessions.createLink();
      if (secret === undefined) return undefined;
      const base = (complete.publicUrl ?? url).replace(/\/+$/, "");
      // Browsers do not send the fragment, so the secret is in no log and no Referer.
      return `${base}${CONSOLE_PATH}/#link=${secret}`;
    },
    revealSigningSecret: () => running().composed.revealSigningSecret(),
  };
}

/**
 * Migrates the PostgreSQL database in a configuration to the schema of this version, without starting a gateway.
 * Gateways may run during the migration.
 *
 * @param options.isLast - `true` if no replica of an older version uses the database any more, so that gateways may
 *   write data that older versions cannot read. This cannot be undone. Default false.
 * @throws YagateError `INVALID_REQUEST` if the configuration has no `databaseUrl`; `UNAVAILABLE` if the database cannot
 *   be reached, or if this version cannot use it. The database is unchanged in both cases.
 */
export async function migrateDatabase(
  config: GatewayConfig,
  { isLast = false }: { readonly isLast?: boolean } = {},
): Promise<MigrationReport> {
  const { databaseUrl } = completeConfig(config);
  if (databaseUrl === undefined) {
    throw new YagateError(
      "INVALID_REQUEST",
      "expected a databaseUrl; a store in a data directory is migrated when the gateway starts",
    );
  }
  const { migrate } = await import("@yagate/store/postgres/migrations/migrate");
  return migrate(databaseUrl, { isLast });
}

/**
 * Checks whether a gateway with this configuration can use its PostgreSQL database, and changes nothing.
 *
 * @throws YagateError `INVALID_REQUEST` if the configuration has no `databaseUrl`; `UNAVAILABLE` if the database cannot
 *   be reached, or if this version cannot use it. Missing migrations count only if `migrations` is `check`.
 */
export async function checkDatabase(config: GatewayConfig): Promise<void> {
  const { databaseUrl, migrations } = completeConfig(config);
  if (databaseUrl === undefined) throw new YagateError("INVALID_REQUEST", "expected a databaseUrl");
  const { migrate } = await import("@yagate/store/postgres/migrations/migrate");
  await migrate(databaseUrl, { isCheck: true, ...(migrations === "apply" && { upTo: 0 }) });
}

/**
 * Checks whether the store of a configuration was encrypted with the configured master keys, and changes nothing. A
 * gateway may be using the store.
 *
 * @returns whether the store is encrypted. A store that does not exist or is new is not, and fits any keys.
 * @throws YagateError `INVALID_REQUEST` if the configuration has no `masterKeys`; `NOT_CONFIGURED` if the store was
 *   encrypted with other keys; `UNAVAILABLE` if the store cannot be read.
 */
export async function checkStoredKeys(config: GatewayConfig): Promise<boolean> {
  const { isEncryptedWith } = await import("./compose/stored-keys.ts");
  return isEncryptedWith(completeConfig(config));
}

/** Logs weak keys. Only `yagate serve` rejects them; other gateways accept them. */
function warnOfWeakKeys(config: CompleteConfig, logger: ComposedGateway["logger"]): void {
  if (!config.allowWeakKeys) return;
  for (const { setting, message } of findWeakKeys(config)) {
    logger.warn(
      { setting, expected: message },
      "a key could be guessed; the next release removes YAGATE_ALLOW_WEAK_KEYS",
    );
  }
}

/** Reports that the gateway is not ready, and gives load balancers time to notice. */
async function drain(composed: ComposedGateway, noticeMs: number): Promise<void> {
  composed.drain();
  if (noticeMs > 0) await sleep(noticeMs);
}

function appOf(composed: ComposedGateway, config: CompleteConfig, closing: AbortSignal) {
  const { routes, authenticate, recorderOf, admitRequest, onKeyDeleted, keyRecheck, logger, telemetry, console } =
    composed;
  const checkHost = createHostCheck(config.host, config.publicUrl);
  const { corsOrigins, docsUrl } = config;
  const newRequestId = () => crypto.randomUUID();
  return createApp({
    routes,
    authenticate,
    admitRequest,
    onQuotaExceeded: telemetry.quotas.onRefused,
    onKeyDeleted,
    checkHost,
    corsOrigins,
    docsUrl,
    newRequestId,
    clientAddress: createClientAddress(config.trustProxy),
    recorderOf,
    logger,
    closing,
    onAnswered: telemetry.http.onAnswered,
    onFailed: config.development?.onFailedRequest,
    keyRecheck,
    console,
  });
}
