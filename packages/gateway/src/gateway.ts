import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import { type MigrationReport, migrate } from "@yagate/store/postgres/migrations/migrate";
import type { ComposedGateway } from "./compose/compose-gateway.ts";
import { composeGateway } from "./compose/compose-gateway.ts";
import { type CompleteConfig, completeConfig, type GatewayConfig } from "./config/gateway-config.ts";
import { findWeakKeys } from "./config/weak-keys.ts";
import { createApp } from "./http/create-app.ts";
import { createClientAddress } from "./http/requests/client-address.ts";
import { createHostCheck } from "./http/requests/host-check.ts";
import { createHttpServer } from "./http/server.ts";

/** A gateway in this process. */
export interface Gateway {
  /**
   * Opens the store, resumes unfinished executions, and listens.
   * @returns the URL that it listens on.
   * @throws YagateError that says what to correct: the data directory is in use, the database cannot be reached or was
   * migrated by a newer version, the master keys do not match, or the port is taken. `CONFLICT` if it was started already.
   */
  start(): Promise<{ readonly url: string }>;
  /**
   * Reports for `drainNoticeMs` that it is not ready, then accepts nothing new, waits up to `drainMs` for calls in flight,
   * and closes everything. Safe to call again.
   */
  stop(): Promise<void>;
  /** The URL that it listens on. @throws YagateError `CONFLICT` if it has not been started. */
  readonly url: string;
  /** The signing secret `default` of the workspace `default`, for handlers in the same process. */
  revealSigningSecret(): Promise<string>;
}

/**
 * Creates a gateway. Nothing is opened before `start`.
 *
 * @throws YagateError `INVALID_REQUEST` that names every invalid setting.
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
      // A second call waits for the same end; returning earlier would cut it short.
      stopping = drain(composed, complete.drainNoticeMs)
        .then(close)
        .then(() => composed.close());
      return stopping;
    },
    get url() {
      return running().url;
    },
    revealSigningSecret: () => running().composed.revealSigningSecret(),
  };
}

/**
 * Migrates the PostgreSQL database of a configuration to this version's schema, without starting a gateway. Gateways may
 * run meanwhile.
 *
 * @param options.isLast - `true`: no replica of an older version uses the database any more, so gateways may write data
 * that older versions cannot read. This cannot be undone. Default false.
 * @throws YagateError `INVALID_REQUEST` without a `databaseUrl`; `UNAVAILABLE` if the database cannot be reached, or this
 * version cannot use it. Nothing has been changed then.
 */
export function migrateDatabase(
  config: GatewayConfig,
  { isLast = false }: { readonly isLast?: boolean } = {},
): Promise<MigrationReport> {
  const { databaseUrl } = completeConfig(config);
  if (databaseUrl !== undefined) return migrate(databaseUrl, { isLast });
  throw new YagateError("INVALID_REQUEST", "expected a databaseUrl; the store in a data directory migrates at start");
}

/** Only `yagate serve` rejects weak keys; other gateways accept them. */
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
  const { routes, authenticate, recorderOf, admitRequest, onKeyDeleted, keyRecheck, logger, telemetry } = composed;
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
    keyRecheck,
  });
}
