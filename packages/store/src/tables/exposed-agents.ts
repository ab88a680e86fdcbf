import { toolNameOf } from "@yagate/lib/text/tool-name-of";
import { type Agent, type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { nameAbove, toPage } from "../cursor.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** An agent that MCP hosts may execute as a tool. */
export interface ExposedAgent {
  readonly agentId: string;
  /** The name of the tool; unique among the active agents of a workspace. */
  readonly toolName: string;
  /** The name of the agent. */
  readonly title: string;
  readonly description: string;
}

/** The exposed agents of a workspace. The agent store maintains them. */
export interface ExposedAgentStore {
  find(workspaceId: string, toolName: string): Promise<ExposedAgent | undefined>;
  /** Lists the exposed agents that are not archived, ordered by tool name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<ExposedAgent>>;
}

/** The name of the tool with which MCP hosts wait for an execution. No agent can have this tool name. */
export const EXECUTION_RESULT_TOOL = "execution_result";

interface ExposedRecord {
  readonly agent_id: string;
  readonly tool_name: string;
  readonly title: string;
  readonly description: string;
}

const toExposed = (record: ExposedRecord): ExposedAgent => ({
  agentId: record.agent_id,
  toolName: record.tool_name,
  title: record.title,
  description: record.description,
});

/** Returns the name of the tool as which an agent is exposed. */
export function exposedToolName({ id, name }: Pick<Agent, "id" | "name">): string {
  const toolName = toolNameOf(name, `agent_${id.slice(-8)}`);
  return toolName === EXECUTION_RESULT_TOOL ? `agent_${toolName}` : toolName;
}

/**
 * Updates the row of an agent in the current unit of work. An archived agent loses its name to an agent that needs it.
 *
 * @throws YagateError `CONFLICT` if another agent has the tool name.
 */
export function* expose(workspaceId: string, agent: Agent): UnitOfWork<void> {
  yield* conceal(agent.id);
  if (agent.exposed !== true) return;
  const exposed = yield* first(sql<{ agent_id: string }>`
    INSERT INTO exposed_agents (workspace_id, tool_name, agent_id, title, description)
    VALUES (${workspaceId}, ${exposedToolName(agent)}, ${agent.id}, ${agent.name}, ${agent.description ?? ""})
    ON CONFLICT (workspace_id, tool_name) DO UPDATE
    SET agent_id = excluded.agent_id, title = excluded.title, description = excluded.description
    WHERE NOT EXISTS (SELECT 1 FROM agents a WHERE a.id = exposed_agents.agent_id AND a.archived_at IS NULL)
    RETURNING agent_id`);
  if (exposed === undefined) throw new YagateError("CONFLICT", "another exposed agent has the same tool name");
}

/** Deletes the row of an agent in the current unit of work. */
export function* conceal(agentId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM exposed_agents WHERE agent_id = ${agentId}`);
}

function* find(workspaceId: string, toolName: string): UnitOfWork<ExposedAgent | undefined> {
  const record = yield* first(sql<ExposedRecord>`
    SELECT e.agent_id, e.tool_name, e.title, e.description
    FROM exposed_agents e JOIN agents a ON a.id = e.agent_id
    WHERE e.workspace_id = ${workspaceId} AND e.tool_name = ${toolName} AND a.archived_at IS NULL`);
  return record && toExposed(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<ExposedAgent>> {
  const records = yield* all(sql<ExposedRecord>`
    SELECT e.agent_id, e.tool_name, e.title, e.description
    FROM exposed_agents e JOIN agents a ON a.id = e.agent_id
    WHERE e.workspace_id = ${workspaceId} AND e.tool_name > ${nameAbove(cursor)} AND a.archived_at IS NULL
    ORDER BY e.tool_name LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ tool_name }) => tool_name, toExposed);
}

export function createExposedAgentStore(units: UnitRunner): ExposedAgentStore {
  return {
    find: (workspaceId, toolName) => units.read(() => find(workspaceId, toolName)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
  };
}
