import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import { Client } from "pg";
import { NEWEST_FORM, readsNewestForm } from "../../events/stored-form.ts";
import { FIND_MOVE, parseMoveRecord } from "../../move/progress.ts";
import { connectionSettings, Sockets } from "../connection-settings.ts";
import { fateOf, StatementError, storageFailureOf, toStoreError } from "../store-error.ts";
import { journal0001 } from "./0001-journal.ts";
import { workspaceSecrets0002 } from "./0002-workspace-secrets.ts";
import { endpointUse0003 } from "./0003-endpoint-use.ts";
import { lateAnswers0004 } from "./0004-late-answers.ts";
import { approvals0005 } from "./0005-approvals.ts";
import { sleepingExecutions0006 } from "./0006-sleeping-executions.ts";
import { recordLinks0007 } from "./0007-record-links.ts";
import { workspaceTools0008 } from "./0008-workspace-tools.ts";
import { integrations0009 } from "./0009-integrations.ts";
import { audit0010 } from "./0010-audit.ts";
import { secretHosts0011 } from "./0011-secret-hosts.ts";
import { apiKeyRotation0012 } from "./0012-api-key-rotation.ts";
import { pendingExecutions0013 } from "./0013-pending-executions.ts";
import { executionTexts0014 } from "./0014-execution-texts.ts";
import { storedBytes0015 } from "./0015-stored-bytes.ts";
import { recountStoredBytes0016 } from "./0016-recount-stored-bytes.ts";
import { executionFilters0017 } from "./0017-execution-filters.ts";
import { toolSources0018 } from "./0018-tool-sources.ts";
import { exposedAgents0019 } from "./0019-exposed-agents.ts";
import { exchangesInAppends0020 } from "./0020-exchanges-in-appends.ts";
import { oauth0021 } from "./0021-oauth.ts";
import { toolSourceSchedule0022 } from "./0022-tool-source-schedule.ts";
import { mcpSources0023 } from "./0023-mcp-sources.ts";
import { supersededDefinitions0024 } from "./0024-superseded-definitions.ts";
import { sourceDocuments0025 } from "./0025-source-documents.ts";
import { inputRequests0026 } from "./0026-input-requests.ts";
import { adoptedTools0027 } from "./0027-adopted-tools.ts";
import { ruledVersions0028 } from "./0028-ruled-versions.ts";
import { revokedTools0029 } from "./0029-revoked-tools.ts";
import { executionModes0030 } from "./0030-execution-modes.ts";
import { consoleSessions0031 } from "./0031-console-sessions.ts";
import { routingEntries0032 } from "./0032-routing-entries.ts";
import { readModels0033 } from "./0033-read-models.ts";
import { redeliveries0034 } from "./0034-redeliveries.ts";

/** Step n takes a store from schema n - 1 to schema n. Released steps never change. */
const STEPS: readonly string[] = [
  journal0001,
  workspaceSecrets0002,
  endpointUse0003,
  lateAnswers0004,
  approvals0005,
  sleepingExecutions0006,
  recordLinks0007,
  workspaceTools0008,
  integrations0009,
  audit0010,
  secretHosts0011,
  apiKeyRotation0012,
  pendingExecutions0013,
  executionTexts0014,
  storedBytes0015,
  recountStoredBytes0016,
  executionFilters0017,
  toolSources0018,
  exposedAgents0019,
  exchangesInAppends0020,
  oauth0021,
  toolSourceSchedule0022,
  mcpSources0023,
  supersededDefinitions0024,
  sourceDocuments0025,
  inputRequests0026,
  adoptedTools0027,
  ruledVersions0028,
  revokedTools0029,
  executionModes0030,
  consoleSessions0031,
  routingEntries0032,
  readModels0033,
  redeliveries0034,
];

/** The number of steps of this version. */
export const SCHEMA_VERSION = STEPS.length;

/** The number of the advisory lock: "Yagate" in ASCII. */
const LOCK = 0x596167617465;

/** Timeout of a migration, including the wait for another replica's migration. */
const MIGRATION_TIMEOUT_MS = 600_000;

/**
 * How long closing the connection waits for a server that does not respond, because such a server must not keep the
 * process from ending.
 */
const END_TIMEOUT_MS = 2_000;

const DUPLICATE_TABLE = "42P07";

/** The result of a migration. */
export interface MigrationReport {
  /** The schema of the database after the call: the number of steps of this version. */
  readonly version: number;
  /** The number of steps applied by this call. */
  readonly applied: number;
}

interface Step {
  readonly version: number;
  readonly checksum: string;
}

function checksumOf(step: string): string {
  return createHash("sha256").update(step).digest("hex");
}

function refuse(message: string): never {
  throw new YagateError("UNAVAILABLE", `${message}; it was not changed`);
}

function assertKnown(applied: readonly Step[]): void {
  const newest = applied.at(-1)?.version ?? 0;
  if (newest > STEPS.length) {
    refuse(
      `the database was migrated by a newer version (schema ${newest}, this version supports ${STEPS.length}): use that version`,
    );
  }
  for (const [index, { version, checksum }] of applied.entries()) {
    if (version !== index + 1 || checksum !== checksumOf(STEPS[index] ?? "")) {
      refuse(
        `step ${version} of the database's schema differs from this version's step: use the version that migrated the database`,
      );
    }
  }
}

/** The query for the tables of the current schema, except those of extensions. */
export const TABLES = `
  SELECT relname AS name FROM pg_catalog.pg_class
  WHERE relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p', 'f') AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend
    WHERE classid = 'pg_catalog.pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')`;

function refuseForeign(): never {
  refuse(
    "the database contains tables of another program: give the gateway an empty database, " +
      "or an empty schema of its own by adding ?options=-csearch_path%3D<schema> to the URL",
  );
}

async function readSteps(client: Client): Promise<readonly Step[]> {
  // One query of the catalogue, so that it sees either all tables of another replica's migration or none; to_regclass
  // would cache missing tables.
  const { rows } = await client.query<{ readonly name: string }>(TABLES);
  if (!rows.some(({ name }) => name === "yagate_migrations")) {
    if (rows.length > 0) refuseForeign();
    return [];
  }
  const steps = await client.query<Step>("SELECT version, checksum FROM yagate_migrations ORDER BY version");
  return steps.rows;
}

/** Checks the encoding. The store requires UTF-8. */
async function assertEncoding(client: Client): Promise<void> {
  const { rows } = await client.query("SHOW server_encoding");
  if (rows[0]?.server_encoding === "UTF8") return;
  refuse("the database's encoding is not UTF8: create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
}

/**
 * Checks that the schema in the search path exists. Without this check, the first statement would fail with an unclear
 * error.
 */
async function assertSchema(client: Client): Promise<void> {
  const { rows } = await client.query("SELECT current_schema() AS name");
  if (rows[0]?.name !== null) return;
  refuse("the schema in the search_path of the URL does not exist: create it with CREATE SCHEMA");
}

async function apply(client: Client, step: string, version: number): Promise<void> {
  try {
    await client.query(step);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === DUPLICATE_TABLE) {
      refuseForeign();
    }
    throw error;
  }
  await client.query("INSERT INTO yagate_migrations (version, checksum, applied_at) VALUES ($1, $2, now())", [
    version,
    checksumOf(step),
  ]);
}

/**
 * Creates the error for a failed connection. It contains the host and the port, which may be wrong in the URL, but
 * never the user or the password.
 */
function notConnected({ host, port }: Client, failed: StatementError): Error {
  const reason = storageFailureOf(failed);
  if (reason === undefined) return failed;
  const address = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  return new YagateError("UNAVAILABLE", `no connection to PostgreSQL at ${address}: ${reason}`, {
    cause: failed.cause,
  });
}

/** Applies all missing steps in one transaction, so the schema changes completely or not at all. */
async function applyMissing(client: Client, upTo: number): Promise<number> {
  await client.query("BEGIN");
  try {
    // The lock lasts until the end of the transaction: one replica migrates, and the others then find the steps
    // applied.
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const applied = await readSteps(client);
    assertKnown(applied);
    if (applied.length === 0) {
      await client.query(`
        CREATE TABLE yagate_migrations (
          version integer NOT NULL PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
    }
    for (const [index, step] of STEPS.slice(0, upTo).entries()) {
      if (index >= applied.length) await apply(client, step, index + 1);
    }
    // The database was empty, so no replica of an older version can be using it.
    if (applied.length === 0 && upTo === STEPS.length) await finish(client);
    await client.query("COMMIT");
    return Math.max(0, upTo - applied.length);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Options for {@link migrate}. */
export interface MigrationOptions {
  /**
   * Whether to only check the schema: nothing is changed, and a database with missing steps is rejected. Default false.
   */
  readonly isCheck?: boolean;
  /**
   * Whether no replica of an older version uses the database any more, so that data may be written that older versions
   * cannot read. Default false.
   */
  readonly isLast?: boolean;
  /** Whether a store may be on its way into the database, which no gateway can use until then. Default false. */
  readonly isMove?: boolean;
  /** The schema to stop at; default: the schema of this version. */
  readonly upTo?: number;
}

/**
 * Migrates a database to the schema of this version, or only checks it.
 *
 * @throws YagateError `UNAVAILABLE`, without having changed anything, if the database cannot be reached, was migrated
 *   by a newer version, lacks steps, contains tables of another program, or is not in UTF-8; `CONFLICT`, after the
 *   missing steps were applied, if `isLast` is true although a replica of an older version runs executions.
 */
export async function migrate(
  databaseUrl: string,
  { isCheck = false, isLast = false, isMove = false, upTo = STEPS.length }: MigrationOptions = {},
): Promise<MigrationReport> {
  const sockets = new Sockets();
  const client = new Client({
    ...connectionSettings(databaseUrl, sockets),
    statement_timeout: MIGRATION_TIMEOUT_MS,
  });
  // Errors of the connection are reported by the statement that is running.
  client.on("error", () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw notConnected(client, new StatementError("unsent", error));
    });
    await assertEncoding(client);
    await assertSchema(client);
    const applied = await readSteps(client);
    assertKnown(applied);
    const version = upTo;
    if (isCheck && applied.length < version) {
      refuse(
        `the database has schema ${applied.length}, and this version needs ${version}: run "yagate migrate" first`,
      );
    }
    const report = { version, applied: applied.length >= version ? 0 : await applyMissing(client, version) };
    if (!isMove && applied.length > 0) await assertMoveFinished(client);
    if (isLast) {
      await assertNoOlderOwner(client);
      await finish(client);
    }
    return report;
  } catch (error) {
    const isOurs = YagateError.is(error) || error instanceof StatementError;
    throw toStoreError(isOurs ? error : new StatementError(fateOf(error), error));
  } finally {
    await Promise.race([client.end(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    sockets.destroyAll();
  }
}

/** Checks that the database does not contain only a part of another store. */
async function assertMoveFinished(client: Client): Promise<void> {
  const { rows } = await client.query<{ readonly value: string }>(FIND_MOVE);
  const move = parseMoveRecord(rows[0]?.value);
  if (move === undefined || move.phase === "finished") return;
  throw new YagateError("UNAVAILABLE", 'the database is the target of a "yagate migrate-store" that has not finished', {
    hint: "run yagate migrate-store again with the same --from and --to, or use another database",
  });
}

/** Checks that no replica of a version that reads only older forms runs executions. */
async function assertNoOlderOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ readonly owner: string; readonly executions: number }>(`
    SELECT owner, count(*)::integer AS executions FROM executions
    WHERE is_open = 1 AND owner IS NOT NULL AND lease_until > extract(epoch FROM clock_timestamp()) * 1000
    GROUP BY owner ORDER BY owner`);
  const older = rows.filter(({ owner }) => !readsNewestForm(owner));
  if (older.length === 0) return;
  const list = older.map(({ owner, executions }) => `${owner} (${executions})`).join(", ");
  throw new YagateError(
    "CONFLICT",
    `expected no gateway of an older version to run executions, found these owners, with the number of their executions: ${list}; the migration was not finished`,
    {
      hint: "stop the gateways of older versions, wait 10 seconds for their leases to expire, and run the command again",
    },
  );
}

/**
 * Records that no replica that lacks one of these steps uses the database any more, and that from now on every replica
 * must read the newest form.
 */
async function finish(client: Client): Promise<void> {
  await client.query("UPDATE yagate_migrations SET finished_at = now() WHERE finished_at IS NULL");
  await client.query(
    "UPDATE settings SET value = $1::integer WHERE name = 'stored_form.min_reader' AND value::integer < $1::integer",
    [NEWEST_FORM],
  );
}
