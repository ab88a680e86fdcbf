import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";
import { type DefinitionStanding, type StandingRecord, toStanding } from "./source-tools.ts";

/** Identifies a version of a workspace tool. */
export interface ToolVersionKey {
  /** The id of the tool. */
  readonly tool: string;
  readonly version: number;
}

/**
 * Records that versions of a workspace tool are governed by the accepted definition of the source's tool that it
 * follows: the versions may run as long as this definition may. The record remains when the tool stops following the
 * source.
 *
 * @param from - the first of these versions.
 */
export function* ruleVersions(toolId: string, from: number): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO ruled_versions (tool_id, version, source_id, name, hash)
    SELECT v.tool_id, v.version, a.source_id, a.name, t.accepted_hash
    FROM adopted_tools a
    JOIN tool_source_tools t ON t.source_id = a.source_id AND t.name = a.name
    JOIN tool_versions v ON v.tool_id = a.tool_id
    WHERE a.tool_id = ${toolId} AND v.version >= ${from} AND t.accepted_hash IS NOT NULL
    ON CONFLICT (tool_id, version) DO UPDATE
    SET source_id = excluded.source_id, name = excluded.name, hash = excluded.hash`);
}

/** Copies the governing definition of a version, if there is one, to the next version, whose definition is the same. */
export function* ruleNextVersion({ tool, version }: ToolVersionKey): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO ruled_versions (tool_id, version, source_id, name, hash)
    SELECT tool_id, version + 1, source_id, name, hash FROM ruled_versions
    WHERE tool_id = ${tool} AND version = ${version}`);
}

/** Returns whether the definition that governs a version of a workspace tool may still run; undefined if there is none. */
export function* standingOfVersion({ tool, version }: ToolVersionKey): UnitOfWork<DefinitionStanding | undefined> {
  const record = yield* first(sql<StandingRecord>`
    SELECT s.archived_at, d.hash, d.withdrawn_at, t.published_hash AS published
    FROM ruled_versions r
    JOIN tool_sources s ON s.id = r.source_id
    LEFT JOIN tool_source_definitions d ON d.source_id = r.source_id AND d.name = r.name AND d.hash = r.hash
    LEFT JOIN tool_source_tools t ON t.source_id = r.source_id AND t.name = r.name
    WHERE r.tool_id = ${tool} AND r.version = ${version}`);
  return record && toStanding(record);
}
