import { YagateError } from "@yagate/protocol";
import type { SqliteConnection } from "../connection.ts";
import { storageFailureOf } from "../store-error.ts";
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
import { executionTexts0013 } from "./0013-execution-texts.ts";
import { storedBytes0014 } from "./0014-stored-bytes.ts";
import { executionFilters0015 } from "./0015-execution-filters.ts";
import { toolSources0016 } from "./0016-tool-sources.ts";
import { exposedAgents0017 } from "./0017-exposed-agents.ts";
import { exchangesInAppends0018 } from "./0018-exchanges-in-appends.ts";
import { oauth0019 } from "./0019-oauth.ts";
import { toolSourceSchedule0020 } from "./0020-tool-source-schedule.ts";
import { mcpSources0021 } from "./0021-mcp-sources.ts";
import { supersededDefinitions0022 } from "./0022-superseded-definitions.ts";
import { sourceDocuments0023 } from "./0023-source-documents.ts";
import { inputRequests0024 } from "./0024-input-requests.ts";
import { adoptedTools0025 } from "./0025-adopted-tools.ts";
import { ruledVersions0026 } from "./0026-ruled-versions.ts";
import { revokedTools0027 } from "./0027-revoked-tools.ts";
import { executionModes0028 } from "./0028-execution-modes.ts";
import { consoleSessions0029 } from "./0029-console-sessions.ts";
import { routingEntries0030 } from "./0030-routing-entries.ts";
import { readModels0031 } from "./0031-read-models.ts";
import { redeliveries0032 } from "./0032-redeliveries.ts";
import { toolsOfDeletedExecutions0033 } from "./0033-tools-of-deleted-executions.ts";

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
  executionTexts0013,
  storedBytes0014,
  executionFilters0015,
  toolSources0016,
  exposedAgents0017,
  exchangesInAppends0018,
  oauth0019,
  toolSourceSchedule0020,
  mcpSources0021,
  supersededDefinitions0022,
  sourceDocuments0023,
  inputRequests0024,
  adoptedTools0025,
  ruledVersions0026,
  revokedTools0027,
  executionModes0028,
  consoleSessions0029,
  routingEntries0030,
  readModels0031,
  redeliveries0032,
  toolsOfDeletedExecutions0033,
];

/** "Yaga" in the file header, which marks an SQLite file as a store of this gateway. */
const APPLICATION_ID = 0x59616761;

function readNumber(connection: SqliteConnection, text: string): number {
  return connection.prepare<{ readonly value: number }>(text).get()?.value ?? 0;
}

/**
 * Checks that the file is empty or a store that this version can read. Writes nothing.
 *
 * @throws YagateError `UNAVAILABLE` if the file is damaged or was written by another program or a newer version.
 */
export function assertOwnDatabase(connection: SqliteConnection, path: string): void {
  let version: number;
  let applicationId: number;
  let tables: number;
  try {
    version = readNumber(connection, "SELECT user_version AS value FROM pragma_user_version");
    applicationId = readNumber(connection, "SELECT application_id AS value FROM pragma_application_id");
    tables = readNumber(connection, "SELECT count(*) AS value FROM sqlite_schema");
  } catch (cause) {
    const reason = storageFailureOf(cause) ?? "the file cannot be read";
    throw new YagateError("UNAVAILABLE", `the store ${path} cannot be opened: ${reason}; it was not changed`, {
      cause,
    });
  }
  if (tables > 0 && applicationId !== APPLICATION_ID) {
    throw new YagateError("UNAVAILABLE", `${path} is a database of another program; it was not changed`);
  }
  if (version > STEPS.length) {
    throw new YagateError(
      "UNAVAILABLE",
      `the store ${path} was written by a newer version (schema ${version}, this version supports ${STEPS.length}): use that version; it was not changed`,
    );
  }
}

/** Checks the schema. @throws YagateError `UNAVAILABLE` if the store lacks steps of this version. */
export function assertMigrated(connection: SqliteConnection): void {
  const version = readNumber(connection, "SELECT user_version AS value FROM pragma_user_version");
  if (version >= STEPS.length) return;
  throw new YagateError(
    "UNAVAILABLE",
    `the store has schema ${version}, and this version needs ${STEPS.length}: restart the gateway`,
  );
}

/**
 * Migrates the store to the newest schema, in one transaction: a crash leaves the store as it was, and a new store needs
 * one `fsync` instead of one for each step.
 *
 * @param upTo - the schema to stop at; default: the newest.
 */
export function migrate(connection: SqliteConnection, upTo: number = STEPS.length): void {
  const version = readNumber(connection, "SELECT user_version AS value FROM pragma_user_version");
  if (version >= upTo) return;
  connection.execute("BEGIN IMMEDIATE");
  try {
    for (const step of STEPS.slice(version, upTo)) connection.execute(step);
    connection.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${upTo}`);
    connection.execute("COMMIT");
  } catch (error) {
    if (connection.isInTransaction) connection.execute("ROLLBACK");
    throw error;
  }
}
