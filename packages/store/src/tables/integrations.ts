import { type Integration, type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { nameAbove, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

export interface IntegrationStore {
  /**
   * Creates an integration. @throws YagateError `CONFLICT` if the name is taken or the workspace would have more than
   * `maxIntegrations`.
   */
  create(
    workspaceId: string,
    integration: Integration,
    maxIntegrations: number,
    audit?: Audit<Integration>,
  ): Promise<void>;
  find(workspaceId: string, name: string): Promise<Integration | undefined>;
  /** Lists integrations, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Integration>>;
  /**
   * Changes an integration. @throws YagateError `CONFLICT` if the current version is not `expectedVersion`;
   * `NOT_FOUND`.
   */
  update(
    workspaceId: string,
    integration: Integration,
    expectedVersion: number,
    audit?: Audit<Integration>,
  ): Promise<void>;
  /** Deletes an integration. @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, audit?: Audit<Integration>): Promise<void>;
}

interface IntegrationRecord {
  readonly name: string;
  readonly definition: string;
}

const toIntegration = ({ definition }: IntegrationRecord) => fromJson<Integration>(definition);

function* find(workspaceId: string, name: string): UnitOfWork<Integration | undefined> {
  const record = yield* first(sql<IntegrationRecord>`
    SELECT name, definition FROM integrations WHERE workspace_id = ${workspaceId} AND name = ${name}`);
  return record && toIntegration(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<Integration>> {
  const records = yield* all(sql<IntegrationRecord>`
    SELECT name, definition FROM integrations
    WHERE workspace_id = ${workspaceId} AND name > ${nameAbove(cursor)} ORDER BY name LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ name }) => name, toIntegration);
}

function* create(
  workspaceId: string,
  integration: Integration,
  maxIntegrations: number,
  audit?: Audit<Integration>,
): UnitOfWork<void> {
  const row = yield* first(sql<{ count: number }>`
    SELECT count(*) AS count FROM integrations WHERE workspace_id = ${workspaceId}`);
  if (Number(row?.count ?? 0) >= maxIntegrations) {
    const message = `expected at most ${maxIntegrations} integrations in a workspace: delete an unused one`;
    throw new YagateError("CONFLICT", message);
  }
  const created = yield* first(sql<{ name: string }>`
    INSERT INTO integrations (workspace_id, name, version, definition)
    VALUES (${workspaceId}, ${integration.name}, ${integration.version}, ${JSON.stringify(integration)})
    ON CONFLICT (workspace_id, name) DO NOTHING RETURNING name`);
  if (created === undefined) {
    throw new YagateError(
      "CONFLICT",
      "an integration with this name exists: change that integration, or choose another name",
    );
  }
  yield* recordChange(audit, null, integration);
}

function* update(
  workspaceId: string,
  integration: Integration,
  expectedVersion: number,
  audit?: Audit<Integration>,
): UnitOfWork<void> {
  const { name, version } = integration;
  const before = yield* find(workspaceId, name);
  if (before === undefined) throw noSuchIntegration();
  const updated = yield* first(sql<{ name: string }>`
    UPDATE integrations SET version = ${version}, definition = ${JSON.stringify(integration)}
    WHERE workspace_id = ${workspaceId} AND name = ${name} AND version = ${expectedVersion} RETURNING name`);
  if (updated !== undefined) return yield* recordChange(audit, before, integration);
  throw new YagateError(
    "CONFLICT",
    "the integration has changed: read its current version and apply your change to that version",
  );
}

function* remove(workspaceId: string, name: string, audit?: Audit<Integration>): UnitOfWork<void> {
  const record = yield* first(sql<IntegrationRecord>`
    DELETE FROM integrations WHERE workspace_id = ${workspaceId} AND name = ${name} RETURNING name, definition`);
  if (record === undefined) throw noSuchIntegration();
  yield* recordChange(audit, toIntegration(record), null);
}

function noSuchIntegration(): YagateError {
  return new YagateError("NOT_FOUND", "no integration with this name in this workspace");
}

export function createIntegrationStore(units: UnitRunner): IntegrationStore {
  return {
    create: (...change) => units.write(() => create(...change)),
    find: (workspaceId, name) => units.read(() => find(workspaceId, name)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    update: (...change) => units.write(() => update(...change)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
