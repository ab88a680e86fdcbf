import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import { Client } from "pg";
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
];

/** How many steps this version knows. */
export const SCHEMA_VERSION = STEPS.length;

/** "Yagate" in ASCII: nobody else's advisory lock has this number. */
const LOCK = 0x596167617465;

/** Whoever waits for the lock waits for a migration of another replica. */
const MIGRATION_TIMEOUT_MS = 600_000;

/** A server that says nothing must not keep a process from its end. */
const END_TIMEOUT_MS = 2_000;

const DUPLICATE_TABLE = "42P07";

/** What became of the schema. */
export interface MigrationReport {
  /** How many steps of this version of the gateway the database has now: all of them. */
  readonly version: number;
  /** How many of them were applied just now. */
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
  throw new YagateError("UNAVAILABLE", `${message}; it was left as it is`);
}

function assertKnown(applied: readonly Step[]): void {
  const newest = applied.at(-1)?.version ?? 0;
  if (newest > STEPS.length) {
    refuse(
      `the database was migrated by a newer version (schema ${newest}, this one knows ${STEPS.length}): use that version`,
    );
  }
  for (const [index, { version, checksum }] of applied.entries()) {
    if (version !== index + 1 || checksum !== checksumOf(STEPS[index] ?? "")) {
      refuse(`step ${version} of the database's schema is not the one that this version knows`);
    }
  }
}

/** The tables of the schema in use, without those that an extension has brought. */
const TABLES = `
  SELECT relname AS name FROM pg_catalog.pg_class
  WHERE relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p', 'f') AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend
    WHERE classid = 'pg_catalog.pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')`;

function refuseForeign(): never {
  refuse(
    "the database holds tables of another program: give the gateway an empty database, " +
      "or an empty schema of its own by adding ?options=-csearch_path%3D<schema> to the URL",
  );
}

async function readSteps(client: Client): Promise<readonly Step[]> {
  // One look at the catalogue's table itself, so that another replica has made all of the tables or none;
  // to_regclass remembers what was not there before.
  const { rows } = await client.query<{ readonly name: string }>(TABLES);
  if (!rows.some(({ name }) => name === "yagate_migrations")) {
    if (rows.length > 0) refuseForeign();
    return [];
  }
  const steps = await client.query<Step>("SELECT version, checksum FROM yagate_migrations ORDER BY version");
  return steps.rows;
}

/** Nothing here can be stored in a database of another encoding. */
async function assertEncoding(client: Client): Promise<void> {
  const { rows } = await client.query("SHOW server_encoding");
  if (rows[0]?.server_encoding === "UTF8") return;
  refuse("the database's encoding is not UTF8: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0");
}

/** A search path that names no schema would otherwise be found out by the first statement, with words of its own. */
async function assertSchema(client: Client): Promise<void> {
  const { rows } = await client.query("SELECT current_schema() AS name");
  if (rows[0]?.name !== null) return;
  refuse("the schema that the URL's search_path names is not there: make it with CREATE SCHEMA");
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

/** Names the place, since the one that is asked may not be the one that is meant; never the user or the password. */
function notConnected({ host, port }: Client, failed: StatementError): Error {
  const reason = storageFailureOf(failed);
  if (reason === undefined) return failed;
  const place = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  return new YagateError("UNAVAILABLE", `no connection to PostgreSQL at ${place}: ${reason}`, { cause: failed.cause });
}

/** All steps that are missing, in one transaction: a schema is whole or as it was. */
async function applyMissing(client: Client, upTo: number): Promise<number> {
  await client.query("BEGIN");
  try {
    // Held until the end of the transaction: of several replicas one migrates, and the others find it done.
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
    // A database that no older version has seen: none of their replicas can be running on it.
    if (applied.length === 0 && upTo === STEPS.length) await finish(client);
    await client.query("COMMIT");
    return Math.max(0, upTo - applied.length);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Options of {@link migrate}. */
export interface MigrationOptions {
  /** Changes nothing: a database that lacks steps is refused. Default false. */
  readonly isCheck?: boolean;
  /** No replica of an older version uses the database any more: write what they could not read. Default false. */
  readonly isLast?: boolean;
  /** The schema to stop at; default: that of this version. */
  readonly upTo?: number;
}

/**
 * Takes a database to the schema of this version, or only checks that it has it.
 *
 * @throws YagateError `UNAVAILABLE`, and nothing was changed: it can't be reached, was migrated by a newer version, lacks
 * steps, holds another program's tables, or is not in UTF-8.
 */
export async function migrate(
  databaseUrl: string,
  { isCheck = false, isLast = false, upTo = STEPS.length }: MigrationOptions = {},
): Promise<MigrationReport> {
  const sockets = new Sockets();
  const client = new Client({
    ...connectionSettings(databaseUrl, sockets),
    statement_timeout: MIGRATION_TIMEOUT_MS,
  });
  // What breaks the connection is told by the statement that was on its way.
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
    if (isLast) await finish(client);
    return report;
  } catch (error) {
    const isOurs = YagateError.is(error) || error instanceof StatementError;
    throw toStoreError(isOurs ? error : new StatementError(fateOf(error), error));
  } finally {
    await Promise.race([client.end(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    sockets.destroyAll();
  }
}

/** From now on no version runs on the database that lacks one of its steps. */
async function finish(client: Client): Promise<void> {
  await client.query("UPDATE yagate_migrations SET finished_at = now() WHERE finished_at IS NULL");
}
