import { type Agent, type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { idBelow, numberBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { forgetAgentSources, writeAgentSources } from "./agent-sources.ts";
import { type Audit, recordChange } from "./audit.ts";
import { conceal, expose } from "./exposed-agents.ts";
import { assertWithin, countAgents } from "./quota-counts.ts";

/** A version of an agent, with data that only the gateway uses. */
export interface AgentRow {
  readonly workspaceId: string;
  readonly agent: Agent;
  readonly archivedAt: EpochMs | null;
}

export interface AgentStore {
  /**
   * Creates an agent.
   * @param maxAgents - maximum number of active agents, including this one; null: no limit.
   * @throws YagateError `CONFLICT` if the agent is exposed and another exposed agent has its tool name.
   * @throws QuotaExceededError.
   */
  create(workspaceId: string, agent: Agent, audit?: Audit<Agent>, maxAgents?: number | null): Promise<void>;
  /**
   * Adds the next version if the current one is `expectedVersion`.
   * @throws YagateError `CONFLICT` if the current version is another one, or if the agent is exposed and another
   *   exposed agent has its tool name; `NOT_FOUND` if the agent is archived or not
   *   in this workspace.
   */
  update(workspaceId: string, agent: Agent, expectedVersion: number, audit?: Audit<Agent>): Promise<void>;
  /** Archives an agent. @throws YagateError `NOT_FOUND`. */
  archive(workspaceId: string, agentId: string, at: EpochMs, audit?: Audit<Agent>): Promise<void>;
  /** Finds the current version of an agent, archived or not. */
  find(workspaceId: string, agentId: string): Promise<AgentRow | undefined>;
  findVersion(agentId: string, version: number): Promise<AgentRow | undefined>;
  /** Lists active agents as unparsed JSON, because a page may contain thousands of tools and is only forwarded. */
  list(workspaceId: string, page: PageQuery): Promise<Page<string>>;
  /** Lists the versions of an agent, newest first. */
  versions(workspaceId: string, agentId: string, page: PageQuery): Promise<Page<Agent>>;
}

interface AgentRecord {
  readonly workspace_id: string;
  readonly archived_at: number | null;
  readonly definition: string;
}

interface VersionRecord {
  readonly agent_id: string;
  readonly version: number;
  readonly definition: string;
}

const toAgent = ({ definition }: { readonly definition: string }) => fromJson<Agent>(definition);

function toRow(record: AgentRecord | undefined): AgentRow | undefined {
  if (record === undefined) return undefined;
  return { workspaceId: record.workspace_id, agent: toAgent(record), archivedAt: record.archived_at };
}

const noSuchAgent = () => new YagateError("NOT_FOUND", "no such agent in this workspace");

function* insertVersion(agent: Agent): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO agent_versions (agent_id, version, definition)
    VALUES (${agent.id}, ${agent.version}, ${JSON.stringify(agent)})`);
}

function* create(
  workspaceId: string,
  agent: Agent,
  audit?: Audit<Agent>,
  maxAgents: number | null = null,
): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO agents (id, workspace_id, version, archived_at) VALUES (${agent.id}, ${workspaceId}, ${agent.version}, NULL)`);
  yield* insertVersion(agent);
  yield* expose(workspaceId, agent);
  yield* writeAgentSources(agent);
  if (maxAgents !== null) assertWithin("agents", maxAgents, yield* countAgents(workspaceId));
  yield* recordChange(audit, null, agent);
}

function* update(workspaceId: string, agent: Agent, expectedVersion: number, audit?: Audit<Agent>): UnitOfWork<void> {
  const existing = yield* find(workspaceId, agent.id);
  if (existing === undefined || existing.archivedAt !== null) throw noSuchAgent();
  const updated = yield* first(sql<{ id: string }>`
    UPDATE agents SET version = ${agent.version}
    WHERE id = ${agent.id} AND workspace_id = ${workspaceId} AND archived_at IS NULL AND version = ${expectedVersion}
    RETURNING id`);
  if (updated === undefined) {
    throw new YagateError(
      "CONFLICT",
      "the agent has changed: read its current version and apply your change to that version",
    );
  }
  yield* insertVersion(agent);
  yield* expose(workspaceId, agent);
  yield* writeAgentSources(agent, existing.agent);
  yield* recordChange(audit, existing.agent, agent);
}

function* archive(workspaceId: string, agentId: string, at: EpochMs, audit?: Audit<Agent>): UnitOfWork<void> {
  const archived = yield* first(sql<{ id: string }>`
    UPDATE agents SET archived_at = ${at}
    WHERE id = ${agentId} AND workspace_id = ${workspaceId} AND archived_at IS NULL RETURNING id`);
  if (archived === undefined) throw noSuchAgent();
  yield* conceal(agentId);
  yield* forgetAgentSources(agentId);
  yield* recordChange(audit, (yield* find(workspaceId, agentId))?.agent ?? null, null);
}

function* find(workspaceId: string, agentId: string): UnitOfWork<AgentRow | undefined> {
  return toRow(
    yield* first(sql<AgentRecord>`
      SELECT a.workspace_id, a.archived_at, v.definition
      FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.version
      WHERE a.id = ${agentId} AND a.workspace_id = ${workspaceId}`),
  );
}

function* findVersion(agentId: string, version: number): UnitOfWork<AgentRow | undefined> {
  return toRow(
    yield* first(sql<AgentRecord>`
      SELECT a.workspace_id, a.archived_at, v.definition
      FROM agents a JOIN agent_versions v ON v.agent_id = a.id
      WHERE a.id = ${agentId} AND v.version = ${version}`),
  );
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<string>> {
  const records = yield* all(sql<VersionRecord>`
    SELECT v.agent_id, v.version, v.definition
    FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.version
    WHERE a.workspace_id = ${workspaceId} AND a.archived_at IS NULL AND a.id < ${idBelow(cursor)}
    ORDER BY a.id DESC LIMIT ${limit + 1}`);
  return toPage(
    records,
    limit,
    (record) => record.agent_id,
    ({ definition }) => definition,
  );
}

function* versions(workspaceId: string, agentId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<Agent>> {
  const records = yield* all(sql<VersionRecord>`
    SELECT v.agent_id, v.version, v.definition
    FROM agents a JOIN agent_versions v ON v.agent_id = a.id
    WHERE a.id = ${agentId} AND a.workspace_id = ${workspaceId} AND v.version < ${numberBelow(cursor)}
    ORDER BY v.version DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, (record) => record.version, toAgent);
}

export function createAgentStore(units: UnitRunner): AgentStore {
  return {
    create: (...change) => units.write(() => create(...change)),
    update: (...change) => units.write(() => update(...change)),
    archive: (...change) => units.write(() => archive(...change)),
    find: (workspaceId, agentId) => units.read(() => find(workspaceId, agentId)),
    findVersion: (agentId, version) => units.read(() => findVersion(agentId, version)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    versions: (workspaceId, agentId, page) => units.read(() => versions(workspaceId, agentId, page)),
  };
}
