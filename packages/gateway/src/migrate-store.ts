import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { YagateError } from "@yagate/protocol";
import { createReceiptService } from "@yagate/receipts/receipt-service";
import { createRecordKeys } from "@yagate/receipts/record-keys";
import { checkMasterKeys } from "@yagate/secrets/canary";
import { loadOrCreateKeyFile } from "@yagate/secrets/key-file";
import { parseMasterKeys } from "@yagate/secrets/keyring";
import { createSealer } from "@yagate/secrets/seal";
import type { Difference, MovedStore, MoveProgress, MoveReport } from "@yagate/store/move/move-store";
import { completeConfig, type GatewayConfig } from "./config/gateway-config.ts";

/** The result of a migration to another store. */
export interface StoreMigration extends MoveReport {
  /** Executions whose record was changed after it was written. It is the same in both stores. */
  readonly changedRecords: number;
}

/** A difference between the two stores. */
export type StoreDifference = Difference;

/** Options for {@link migrateStore}. */
export interface MigrateStoreOptions {
  /** Called after each step of the work. */
  readonly onProgress?: (progress: MoveProgress) => void;
}

/**
 * Copies the SQLite store of the configuration's `dataDir` into the PostgreSQL database of its `databaseUrl`, with all
 * executions that have not ended. Then compares all rows and the receipts of all executions. The source is not changed,
 * apart from the migrations of this version. A call that was interrupted continues with the next one.
 *
 * @throws YagateError `INVALID_REQUEST` if the configuration has no `databaseUrl`; `NOT_CONFIGURED` if the master keys
 *   are missing or are not those of the store; `UNAVAILABLE` if a store cannot be used or another process uses the data
 *   directory; `CONFLICT` if a gateway uses the database, or if it contains other data.
 */
export async function migrateStore(
  config: GatewayConfig,
  { onProgress = () => undefined }: MigrateStoreOptions = {},
): Promise<StoreMigration> {
  const { dataDir, databaseUrl, masterKeys } = completeConfig(config);
  if (databaseUrl === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected a databaseUrl: the database to which the store is copied");
  }
  if (!existsSync(dataDir)) {
    throw new YagateError("UNAVAILABLE", `expected a data directory at ${dataDir}: it does not exist`);
  }
  const keyring =
    masterKeys === undefined ? loadOrCreateKeyFile(dataDir, { isSealed: true }) : parseMasterKeys(masterKeys);
  const keys = createRecordKeys(keyring);
  const receiptsOf = ({ eventStore, records, agents, workspaces }: MovedStore) =>
    createReceiptService({ eventStore, records, agents, workspaces, keys });
  let changedRecords = 0;
  const { moveStore } = await import("@yagate/store/move/move-store");
  const report = await moveStore({
    ...{ dataDir, databaseUrl, onProgress },
    onSource: ({ settings }) => checkMasterKeys(settings, createSealer(keyring)),
    async compareExecution({ id, workspaceId }, stores) {
      const [before, after] = await Promise.all([
        receiptsOf(stores.source).receipt(workspaceId, id),
        receiptsOf(stores.target).receipt(workspaceId, id),
      ]);
      if (!before.verified) changedRecords += 1;
      return isDeepStrictEqual(before, after) ? undefined : "the receipts differ";
    },
  });
  return { ...report, changedRecords };
}
