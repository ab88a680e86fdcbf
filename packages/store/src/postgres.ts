import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "./epoch-ms.ts";
import type { ExecutionChange } from "./events/changes.ts";
import { createEndedDeletion } from "./events/ended-executions.ts";
import type { StoreCommit } from "./events/event-store.ts";
import { hashedPair } from "./events/execution-list.ts";
import { createLookups } from "./events/lookups.ts";
import { Listeners } from "./events/publisher.ts";
import type { Store } from "./port.ts";
import { createAppendBatcher, createAppender } from "./postgres/append.ts";
import { createClaim } from "./postgres/claim.ts";
import { compareClocks } from "./postgres/compare-clocks.ts";
import { Sockets } from "./postgres/connection-settings.ts";
import { createExecutionBatcher, createExecutionCreator } from "./postgres/create-execution.ts";
import { Database, named, repeatRead } from "./postgres/database.ts";
import { createExpiry } from "./postgres/expiry.ts";
import { Feed } from "./postgres/feed.ts";
import { createLateResponses } from "./postgres/late-responses.ts";
import { createLeases } from "./postgres/leases.ts";
import { Listener } from "./postgres/listener.ts";
import { migrate, SCHEMA_VERSION } from "./postgres/migrations/migrate.ts";
import { CHANNEL as NOTICE_CHANNEL } from "./postgres/notifier.ts";
import { createRateLimitStore } from "./postgres/rate-limits.ts";
import { createReadModels } from "./postgres/read-models.ts";
import { createReleaseBatcher } from "./postgres/release.ts";
import { createExecutionRows } from "./postgres/retention.ts";
import { toStoreError } from "./postgres/store-error.ts";
import { createStoredBytes } from "./postgres/stored-bytes.ts";
import { assertReadable, MIN_READER, StoredForms } from "./postgres/stored-forms.ts";
import { NotifyTextRelay } from "./postgres/text-relay.ts";
import { createUnits } from "./postgres/units.ts";
import { DEFAULT_EXCHANGE_RETENTION_MS } from "./retention/retention.ts";
import { createTables } from "./tables/create-tables.ts";
import { createPendingCount, createUsageStore } from "./tables/usage.ts";

/**
 * The number of connections per purpose: one listens, two renew leases and send notifications, four write, and the rest
 * read.
 */
const LISTENING = 1;
const LEASING = 2;
const WRITING = 4;
const DEFAULT_CONNECTIONS = 12;

/** Options for {@link openPostgresStore}. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly databaseUrl: string;
  /** Maximum number of connections, at least 8; default 12. */
  readonly connections?: number;
  /** `apply` migrates the schema to that of this version; `check` only checks it. Default `apply`. */
  readonly migrations?: "apply" | "check";
  readonly now?: () => EpochMs;
  /** Default {@link DEFAULT_EXCHANGE_RETENTION_MS}. */
  readonly exchangeRetentionMs?: number;
  /** Called with an error that a subscriber threw. Other subscribers and the store continue. */
  readonly onListenerError?: (error: unknown) => void;
  /** Called after each commit of new executions or appends. */
  readonly onCommit?: (commit: StoreCommit) => void;
  /** Called with errors of background work, such as a broken idle connection or a failed poll. */
  readonly onError?: (error: unknown) => void;
}

const PING = named(`
  INSERT INTO settings (name, value) VALUES ('ping', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
const VERSION = named(`
  SELECT max(version) AS version, (SELECT value::integer FROM settings WHERE name = '${MIN_READER}') AS min_reader
  FROM yagate_migrations`);
const PING_TIMEOUT_MS = 3_000;
const NOTIFY_ALL = named(
  "SELECT pg_notify(m.channel, m.payload) FROM unnest($1::text[], $2::text[]) AS m(channel, payload)",
);
const NOTIFY_TIMEOUT_MS = 3_000;
/**
 * How long closing waits for a server that does not respond, because such a server must not keep the process from
 * ending.
 */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Opens the store in a PostgreSQL database, which any number of replicas can share.
 *
 * @throws YagateError `UNAVAILABLE` if the database cannot be reached or this version cannot use its schema.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { databaseUrl, now = Date.now, exchangeRetentionMs = DEFAULT_EXCHANGE_RETENTION_MS } = options;
  const { connections = DEFAULT_CONNECTIONS, onError = () => undefined } = options;
  await migrate(databaseUrl, { isCheck: options.migrations === "check" });
  const reads = Math.max(1, connections - LISTENING - LEASING - WRITING);
  const sockets = new Sockets();
  const database = new Database({
    databaseUrl,
    sockets,
    connections: { leases: LEASING, writes: WRITING, reads },
    onError,
  });
  const { onListenerError = onError } = options;
  const dueListeners = new Listeners(onListenerError);
  const changeListeners = new Listeners<ExecutionChange | "missed">(onListenerError);
  const onDue = () => dueListeners.notify();
  const replica = randomUUID().replaceAll("-", "");
  const feed = new Feed({
    ...{ database, sender: replica, onDue, onListenerError, onError },
    onChange: (change) => changeListeners.notify(change),
  });
  const textRelay = new NotifyTextRelay({
    replica,
    async send(messages) {
      const columns = (["channel", "payload"] as const).map((name) => messages.map((message) => message[name]));
      // The lease connections are not used, because texts must never delay the renewal of a lease.
      await database.run("reads", NOTIFY_ALL, columns, NOTIFY_TIMEOUT_MS);
    },
  });
  const receiveText = (payload: string) => textRelay.onMessage(payload);
  const listener = new Listener({
    databaseUrl,
    sockets,
    channels: new Map([
      [NOTICE_CHANNEL, (payload: string) => feed.onMessage(payload)],
      ...textRelay.channels.map((channel) => [channel, receiveText] as const),
    ]),
    onListening() {
      changeListeners.notify("missed");
      feed.poll();
      textRelay.onListening();
    },
  });
  const units = createUnits(database);
  const appends = createAppendBatcher(database, options.onCommit);
  const creations = createExecutionBatcher(database, options.onCommit);
  const releases = createReleaseBatcher(database);
  const leases = createLeases(database);
  const forms = new StoredForms(database, onError);
  await forms.read();
  const storesApart = () => forms.current().storesApart;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    const ended = Promise.all([appends.close(), creations.close(), releases.close(), units.close()])
      .then(() => Promise.all([listener.close(), feed.close(), textRelay.close()]))
      .then(() => database.close());
    // Errors that occur after the sockets were destroyed are irrelevant.
    ended.catch(() => undefined);
    await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    sockets.destroyAll();
  }

  compareClocks(database, now).then((problem) => problem && onError(problem), onError);

  return {
    eventStore: {
      create: createExecutionCreator(
        creations,
        () => forms.current(),
        () => leases.suspect(),
      ),
      storedForm: () => forms.current().storedForm,
      append: createAppender({
        batcher: appends,
        now,
        forms,
        onAppended: (append, isDue) => feed.publish(append, isDue),
      }),
      ...createLookups(units, hashedPair),
      ...createLateResponses(database),
      claim: leases.claim,
      claimDue: leases.claimDue,
      release: (release) => releases.write(release),
      renew: leases.renew,
      onDue: (listener) => dueListeners.add(listener),
      onChange: (listener) => changeListeners.add(listener),
      deleteExpired: createExpiry(database, exchangeRetentionMs),
      subscribe: (executionId, listener) => feed.subscribe(executionId, listener),
    },
    ...createTables(units),
    rateLimits: createRateLimitStore(database),
    retention: {
      claim: createClaim(database, "retention.deleter"),
      deleteEnded: createEndedDeletion(createExecutionRows(database)),
    },
    usage: createUsageStore(units, createPendingCount(units)),
    storedBytes: createStoredBytes(database, storesApart),
    readModels: createReadModels(database, units),
    textRelay,
    isExclusive: false,
    stopAsking() {
      for (const writer of [appends, creations, releases, units]) writer.stopAsking();
    },
    async ping() {
      try {
        await database.run("leases", PING, [randomUUID()], PING_TIMEOUT_MS);
      } catch (error) {
        throw toStoreError(error);
      }
    },
    async assertMigrated() {
      const rows = await repeatRead(() =>
        database.run<{ version: number | null; min_reader: number | null }>("reads", VERSION, []),
      );
      const version = rows[0]?.version ?? 0;
      // A newer version may have migrated the database since. If steps are missing, the database has been replaced by
      // another one.
      if (version >= SCHEMA_VERSION) return assertReadable(rows[0]?.min_reader ?? undefined);
      throw new YagateError(
        "UNAVAILABLE",
        `the database has schema ${version}, and this version needs ${SCHEMA_VERSION}: run "yagate migrate"`,
      );
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
