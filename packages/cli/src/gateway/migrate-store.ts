import { configFromEnvironment, migrateStore as migrate, type StoreMigration } from "@yagate/gateway";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { explainStart } from "./data-directory-in-use.ts";
import { dataPlace } from "./data-place.ts";
import { RECORD_FILE } from "./run-until-signal.ts";

interface MigrateStoreOptions {
  readonly from?: string;
  readonly to?: string;
}

const STEPS = { copy: "rows copied", compare: "rows compared", receipts: "receipts compared" } as const;
/** A line of progress at most this often. */
const PROGRESS_EVERY_MS = 1_000;

/** Copies a SQLite store into a PostgreSQL database, compares both and prints the result. */
export async function migrateStore({ output }: Invocation, { from, to }: MigrateStoreOptions): Promise<void> {
  const given = defined({ YAGATE_DATA_DIR: from, DATABASE_URL: to });
  const config = configFromEnvironment({ ...process.env, ...given });
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected a target: set DATABASE_URL, or use --to");
  }
  let shownAt = Number.NEGATIVE_INFINITY;
  const report = await migrate(config, {
    onProgress({ step, done, total }) {
      if (done < total && performance.now() - shownAt < PROGRESS_EVERY_MS) return;
      shownAt = performance.now();
      output.note(`${done} of ${total} ${STEPS[step]}`);
    },
  }).catch((error) => {
    throw explainStart(error, { dataDir, databaseUrl: undefined }, RECORD_FILE);
  });
  const database = dataPlace(config);
  const document = { dataDir, database, ...report };
  if (report.differences.length > 0) {
    process.exitCode = EXIT.answerIsNo;
    output.result(document, () => differencesText(report, database));
    return;
  }
  output.done(document, doneText(report, dataDir, database));
  if (report.changedRecords > 0) {
    output.note(
      `The records of ${report.changedRecords} executions were changed before the migration, as their receipts say.`,
    );
  }
  output.note(
    `Start the gateways with DATABASE_URL and the same master keys as before. Never start a gateway on ${dataDir} again: both would continue the same executions.`,
  );
}

function doneText({ outcome, rows, executions, unfinished }: StoreMigration, from: string, to: string): string {
  const what = `${rows} rows, ${executions} executions, ${unfinished} of them unfinished`;
  if (outcome === "already_moved") return `${from} was migrated to ${to} before (${what})`;
  return `${from} was ${outcome === "resumed" ? "migrated further" : "migrated"} to ${to}: ${what}; all rows and receipts are equal`;
}

function differencesText({ differences }: StoreMigration, to: string): string {
  const lines = differences.map(({ table, row, problem }) => `  ${table} ${row}: ${problem}`);
  return [`${to} differs from the source, so no gateway can use it:`, ...lines].join("\n");
}
