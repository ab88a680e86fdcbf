import { type Agent, isToolSourceReference } from "@yagate/protocol";
import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";

/** The number of active agents that refer to a source, and of those that list all of its tools. */
export interface SourceUse {
  readonly agents: number;
  readonly listingAll: number;
}

/** Records the sources to which the current version of an agent refers. */
export function* writeAgentSources(
  { id, tools }: Pick<Agent, "id" | "tools">,
  before?: Pick<Agent, "tools">,
): UnitOfWork<void> {
  // Most agents refer to no source, so nothing is written for them.
  if (before?.tools.some(isToolSourceReference) === true) yield* forgetAgentSources(id);
  const listsAll = new Map<string, boolean>();
  for (const tool of tools) {
    if (isToolSourceReference(tool)) {
      listsAll.set(tool.source, listsAll.get(tool.source) === true || tool.tools === undefined);
    }
  }
  for (const [source, isWhole] of listsAll) {
    yield* first(sql`
      INSERT INTO agent_tool_sources (source_id, agent_id, lists_all) VALUES (${source}, ${id}, ${isWhole ? 1 : 0})`);
  }
}

/** Removes the references of an agent. */
export function* forgetAgentSources(agentId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM agent_tool_sources WHERE agent_id = ${agentId}`);
}

/** Counts the agents that refer to a source. */
export function* countSourceUse(sourceId: string): UnitOfWork<SourceUse> {
  const row = yield* first(sql<{ agents: number; listing_all: number | null }>`
    SELECT count(*) AS agents, sum(lists_all) AS listing_all FROM agent_tool_sources WHERE source_id = ${sourceId}`);
  return { agents: Number(row?.agents ?? 0), listingAll: Number(row?.listing_all ?? 0) };
}
