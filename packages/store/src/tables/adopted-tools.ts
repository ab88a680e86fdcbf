import { YagateError } from "@yagate/protocol";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";
import { ruleVersions } from "./ruled-versions.ts";

/** A workspace tool that follows a tool of a source. */
export interface AdoptedTool {
  readonly toolId: string;
  /** The published name of the source's tool. */
  readonly name: string;
}

/** The source that a workspace tool follows. */
export interface Adopter {
  readonly sourceId: string;
  readonly sourceName: string;
  /** The published name of the source's tool. */
  readonly name: string;
}

/** Lists the workspace tools that follow tools of a source, ordered by the published names. */
export function* readAdoptedTools(sourceId: string): UnitOfWork<readonly AdoptedTool[]> {
  const records = yield* all(sql<{ tool_id: string; name: string }>`
    SELECT tool_id, name FROM adopted_tools WHERE source_id = ${sourceId} ORDER BY name`);
  return records.map(({ tool_id: toolId, name }) => ({ toolId, name }));
}

/** Finds the source that a workspace tool follows; undefined if it follows none. */
export function* findAdopter(toolId: string): UnitOfWork<Adopter | undefined> {
  return yield* first(sql<Adopter>`
    SELECT a.source_id AS "sourceId", s.name AS "sourceName", a.name
    FROM adopted_tools a JOIN tool_sources s ON s.id = a.source_id WHERE a.tool_id = ${toolId}`);
}

/**
 * Makes a workspace tool follow a tool of a source, whose accepted definition rules all versions of the workspace tool.
 *
 * @throws YagateError `CONFLICT` if the tool is no longer at this version, or if one of the two tools has another
 *   counterpart.
 */
export function* writeAdoptedTool(
  workspaceId: string,
  sourceId: string,
  { toolId, name, version }: AdoptedTool & { readonly version: number },
): UnitOfWork<void> {
  const adopted = yield* first(sql<{ tool_id: string }>`
    INSERT INTO adopted_tools (tool_id, source_id, name)
    SELECT id, ${sourceId}, ${name} FROM tools
    WHERE id = ${toolId} AND workspace_id = ${workspaceId} AND version = ${version} AND status = 'created'
      AND archived_at IS NULL
    ON CONFLICT DO NOTHING RETURNING tool_id`);
  if (adopted === undefined) {
    throw new YagateError("CONFLICT", `${name} or the tool ${toolId} has changed: read both again`);
  }
  yield* ruleVersions(toolId, 1);
}

/** Makes the workspace tools of a source independent of it. */
export function* releaseAdoptedTools(sourceId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM adopted_tools WHERE source_id = ${sourceId}`);
}

/** Makes a workspace tool independent of the source that it follows, if it follows one. */
export function* releaseAdoptedTool(toolId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM adopted_tools WHERE tool_id = ${toolId}`);
}
