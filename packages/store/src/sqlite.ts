import { randomUUID } from "node:crypto";
import type { EpochMs } from "./epoch-ms.ts";
import { changesIn, type ExecutionChange } from "./events/changes.ts";
import { createEndedDeletion } from "./events/ended-executions.ts";
import type { EventStore, StoreCommit } from "./events/event-store.ts";
import { plainPair } from "./events/execution-list.ts";
import { createLookups } from "./events/lookups.ts";
import { Listeners, Publisher } from "./events/publisher.ts";
import { NEWEST_FORM, type StoredForm } from "./events/stored-form.ts";
import type { Store } from "./port.ts";
import { DEFAULT_EXCHANGE_RETENTION_MS } from "./retention/retention.ts";
import { createAppender } from "./sqlite/append.ts";
import { SqliteConnection } from "./sqlite/connection.ts";
import { createExecutionCreator } from "./sqlite/create-execution.ts";
import { takeDataDirectory } from "./sqlite/data-directory.ts";
import { createExpiry } from "./sqlite/expiry.ts";
import { GroupCommit } from "./sqlite/group-commit.ts";
import { createLateResponses } from "./sqlite/late-responses.ts";
import { createLeases } from "./sqlite/leases.ts";
import { assertMigrated, assertOwnDatabase, migrate } from "./sqlite/migrations/migrate.ts";
import { PendingCounts } from "./sqlite/pending-counts.ts";
import { createRateLimitStore } from "./sqlite/rate-limits.ts";
import { createReadModels } from "./sqlite/read-models.ts";
import { createExecutionRows } from "./sqlite/retention.ts";
import { toStoreError } from "./sqlite/store-error.ts";
import { createStoredBytes } from "./sqlite/stored-bytes.ts";
import { createTables } from "./tables/create-tables.ts";
import { writePing } from "./tables/settings.ts";
import { createUsageStore } from "./tables/usage.ts";
import type { UnitRunner } from "./unit-of-work.ts";

/** Options for {@link openSqliteStore}. */
export interface SqliteStoreOptions {
  /** The data directory. It is created (mode 0700) if it does not exist. */
  readonly dataDir: string;
  readonly now?: () => EpochMs;
  /** Default {@link DEFAULT_EXCHANGE_RETENTION_MS}. */
  readonly exchangeRetentionMs?: number;
  /** Called with an error that a subscriber threw. Other subscribers and the store continue. */
  readonly onListenerError?: (error: unknown) => void;
  /** Called after each commit. */
  readonly onCommit?: (commit: StoreCommit) => void;
  /** Maximum size of the file, in bytes; used by tests of a full disk. */
  readonly maxBytes?: number;
  /** The form in which appends are stored; used by tests of stores that an older version has written. Default 2. */
  readonly form?: StoredForm;
  /** Called right before each commit; used by tests that count commits or simulate a slow disk. */
  readonly beforeCommit?: () => void;
}

/** More than a page of any store. */
const PING_CHARACTERS = 16_384;

function openConnection(path: string, options: SqliteStoreOptions): SqliteConnection {
  const connection = new SqliteConnection(path);
  try {
    assertOwnDatabase(connection, path);
    connection.configure(options);
    migrate(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function createEventStore(
  connection: SqliteConnection,
  commits: GroupCommit,
  units: UnitRunner,
  pending: PendingCounts,
  options: SqliteStoreOptions,
): EventStore {
  const { now = Date.now, exchangeRetentionMs = DEFAULT_EXCHANGE_RETENTION_MS } = options;
  const { onListenerError = () => undefined, form = NEWEST_FORM } = options;
  const publisher = new Publisher(onListenerError);
  const dueListeners = new Listeners(onListenerError);
  const changeListeners = new Listeners<ExecutionChange>(onListenerError);
  return {
    create: createExecutionCreator(connection, commits, pending),
    storedForm: () => form,
    append: createAppender({
      connection,
      commits,
      publisher,
      now,
      form,
      onEnded: (id) => pending.giveBack(id),
      onDue: () => dueListeners.notify(),
      onAppended({ executionId, entries }) {
        const seq = entries.at(-1)?.event.seq;
        if (seq === undefined || changeListeners.isEmpty) return;
        changeListeners.notify({ executionId, seq, kinds: changesIn(entries) });
      },
    }),
    ...createLookups(units, plainPair),
    ...createLeases(connection, commits),
    ...createLateResponses(connection, commits),
    deleteExpired: createExpiry(connection, commits, exchangeRetentionMs),
    subscribe: (executionId, listener) => publisher.subscribe(executionId, listener),
    onDue: (listener) => dueListeners.add(listener),
    onChange: (listener) => changeListeners.add(listener),
  };
}

/**
 * Writes several pages and frees them again: a file that cannot grow may still have space for a small value, but not
 * for an execution. The value is different each time, because SQLite writes no page for an unchanged value.
 */
function writeAndFree(connection: SqliteConnection): void {
  connection.perform(writePing("x".repeat(PING_CHARACTERS)));
  connection.perform(writePing(randomUUID()));
}

/**
 * Opens the embedded store: one SQLite file in a data directory, which this process locks until `close`.
 *
 * @throws YagateError `UNAVAILABLE` if the directory is in use or not writable, or the file is damaged or was written
 *   by another program or a newer version. Existing files are not changed.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const directory = takeDataDirectory(options.dataDir);
  let connection: SqliteConnection;
  try {
    connection = openConnection(directory.databasePath, options);
  } catch (error) {
    directory.release();
    throw toStoreError(error);
  }
  const commits = new GroupCommit(connection, options);
  const units: UnitRunner = {
    read: (unit) => connection.read(() => connection.perform(unit())),
    write: (unit) => commits.write(() => connection.perform(unit())),
  };
  const pending = new PendingCounts(connection);
  return {
    eventStore: createEventStore(connection, commits, units, pending, options),
    ...createTables(units),
    rateLimits: createRateLimitStore(units),
    retention: {
      claim: async () => true,
      deleteEnded: createEndedDeletion(createExecutionRows(connection, commits)),
    },
    usage: createUsageStore(units, async (workspaceId) => pending.of(workspaceId)),
    storedBytes: createStoredBytes(connection, commits),
    readModels: createReadModels(connection, units),
    isExclusive: true,
    ping: () => commits.write(() => writeAndFree(connection)),
    assertMigrated: () => connection.read(() => assertMigrated(connection)),
    close: async () => {
      commits.close();
      connection.close();
      directory.release();
    },
  };
}
