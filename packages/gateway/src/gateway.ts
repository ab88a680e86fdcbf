import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import { type MigrationReport, migrate } from "@yagate/store/postgres/migrations/migrate";
import { type CompleteConfig, completeConfig, type GatewayConfig } from "./config/gateway-config.ts";
import { findWeakKeys } from "./config/weak-keys.ts";
import { createClientAddress } from "./http/client-address.ts";
import { createApp } from "./http/create-app.ts";
import { createHostCheck } from "./http/host-check.ts";
import { createHttpServer } from "./http/server.ts";
import { openRooms, type Rooms } from "./rooms.ts";

/** A gateway in this process. */
export interface Gateway {
  /**
   * Opens the data directory or the database, takes up what an earlier process left unfinished, and listens.
   * @throws YagateError that says what to correct: a data directory in use, a database that can't be reached or is of
   * a newer version, another master key, a port that is taken.
   */
  start(): Promise<{ readonly url: string }>;
  /** Takes nothing new, waits up to `drainMs` for calls that are on their way, and closes everything. Repeatable. */
  stop(): Promise<void>;
  /** Where it listens. @throws YagateError `CONFLICT` while it does not. */
  readonly url: string;
  /** The signing secret `default` of the workspace `default`, for the handlers of whoever runs this gateway. */
  revealSigningSecret(): Promise<string>;
}

/**
 * Makes a gateway; nothing happens before `start`.
 *
 * @throws YagateError `INVALID_REQUEST` that names every wrong setting.
 */
export function createGateway(config: GatewayConfig): Gateway {
  const complete = completeConfig(config);
  let started: { readonly rooms: Rooms; readonly url: string; close(): Promise<void> } | undefined;
  let stopping: Promise<void> | undefined;

  function running() {
    if (started !== undefined) return started;
    throw new YagateError("CONFLICT", "expected a gateway that was started", { hint: "call start() first" });
  }

  return {
    async start() {
      if (started !== undefined) throw new YagateError("CONFLICT", "the gateway was started already");
      await stopping;
      const rooms = await openRooms(complete);
      try {
        const server = createHttpServer((closing) => appOf(rooms, complete, closing));
        const { url, address } = await server.listen(complete.host, complete.port);
        rooms.onListening(url, address);
        warnOfWeakKeys(complete, rooms.logger);
        started = { rooms, url, close: () => server.close() };
        return { url };
      } catch (error) {
        await rooms.close();
        throw error;
      }
    },
    async stop() {
      if (started === undefined) return stopping;
      const { rooms, close } = started;
      started = undefined;
      // Whoever calls again waits for the same end: to leave earlier would cut it short.
      stopping = drain(rooms, complete.drainNoticeMs)
        .then(close)
        .then(() => rooms.close());
      return stopping;
    },
    get url() {
      return running().url;
    },
    revealSigningSecret: () => running().rooms.revealSigningSecret(),
  };
}

/**
 * Takes the database of a configuration to this version's schema, and starts nothing. Gateways may run meanwhile.
 *
 * @param options.isLast - no replica of an older version runs on the database any more, so this one may write what they
 * could not read. There is no way back to them. Default false.
 * @throws YagateError `INVALID_REQUEST` without a `databaseUrl`; `UNAVAILABLE` when the database can't be reached or is
 * not one that this version can use. Nothing was changed then.
 */
export function migrateDatabase(
  config: GatewayConfig,
  { isLast = false }: { readonly isLast?: boolean } = {},
): Promise<MigrationReport> {
  const { databaseUrl } = completeConfig(config);
  if (databaseUrl !== undefined) return migrate(databaseUrl, { isLast });
  throw new YagateError("INVALID_REQUEST", "expected a databaseUrl: the journal in a data directory migrates at start");
}

/** Other gateways than those of `yagate serve` take the keys that they are given. */
function warnOfWeakKeys(config: CompleteConfig, logger: Rooms["logger"]): void {
  if (!config.allowWeakKeys) return;
  for (const { setting, message } of findWeakKeys(config)) {
    logger.warn(
      { setting, expected: message },
      "a key could be guessed; YAGATE_ALLOW_WEAK_KEYS will go with the next release",
    );
  }
}

/** Tells load balancers to send no more, and gives them the time to hear of it. */
async function drain(rooms: Rooms, noticeMs: number): Promise<void> {
  rooms.drain();
  if (noticeMs > 0) await sleep(noticeMs);
}

function appOf(rooms: Rooms, config: CompleteConfig, closing: AbortSignal) {
  const { routes, authenticate, recorderOf, admitRequest, onKeyDeleted, keyRecheck, logger, telemetry } = rooms;
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
