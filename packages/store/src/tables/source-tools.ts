import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { commaList, inBatches } from "../row-batches.ts";
import { joinSql, sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";

/** A definition of a tool. Its content never changes. */
export interface SourceDefinition {
  readonly hash: string;
  /** The definition as JSON. */
  readonly content: string;
}

/** A tool of a source: the definition that the source publishes, and the accepted one. */
export interface SourceToolRow {
  readonly name: string;
  /** Null if the source no longer publishes the tool. */
  readonly published: SourceDefinition | null;
  /** Null if no definition is accepted. */
  readonly accepted: SourceDefinition | null;
}

/** The new state of a tool. A tool that is neither published nor accepted is forgotten. */
export type SourceToolChange = SourceToolRow;

/** The numbers of a source's tools. */
export interface ToolCounts {
  readonly published: number;
  /** Published with the accepted definition. */
  readonly accepted: number;
  /** Accepted, but no longer published. */
  readonly removed: number;
}

interface ToolRecord {
  readonly name: string;
  readonly published_hash: string | null;
  readonly accepted_hash: string | null;
  readonly published_content: string | null;
  readonly accepted_content: string | null;
}

/** Reads all tools of a source, ordered by name. */
export function* readSourceTools(sourceId: string): UnitOfWork<readonly SourceToolRow[]> {
  const records = yield* all(sql<ToolRecord>`
    SELECT t.name, t.published_hash, t.accepted_hash, p.content AS published_content, a.content AS accepted_content
    FROM tool_source_tools t
    LEFT JOIN tool_source_definitions p
      ON p.source_id = t.source_id AND p.name = t.name AND p.hash = t.published_hash
    LEFT JOIN tool_source_definitions a
      ON a.source_id = t.source_id AND a.name = t.name AND a.hash = t.accepted_hash
    WHERE t.source_id = ${sourceId} ORDER BY t.name`);
  return records.map(({ name, published_hash, published_content, accepted_hash, accepted_content }) => ({
    name,
    published: toDefinition(published_hash, published_content),
    accepted: toDefinition(accepted_hash, accepted_content),
  }));
}

function toDefinition(hash: string | null, content: string | null): SourceDefinition | null {
  return hash === null || content === null ? null : { hash, content };
}

/**
 * Writes the new states of tools. Definitions that were never accepted and are no longer published are deleted; accepted
 * ones are kept for executions that use them, and marked as superseded.
 */
export function* writeSourceTools(sourceId: string, tools: readonly SourceToolChange[], at: EpochMs): UnitOfWork<void> {
  const changed = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  yield* insertDefinitions(sourceId, changed);
  yield* markAccepted(sourceId, changed, at);
  const isForgotten = ({ published, accepted }: SourceToolChange) => published === null && accepted === null;
  for (const batch of inBatches(changed.filter(isForgotten))) {
    yield* first(
      joinSql([
        sql`DELETE FROM tool_source_tools WHERE source_id = ${sourceId} AND name IN (`,
        ...commaList(batch, ({ name }) => sql`${name}`),
        sql`)`,
      ]),
    );
  }
  for (const batch of inBatches(changed.filter((tool) => !isForgotten(tool)))) {
    yield* first(
      joinSql([
        sql`INSERT INTO tool_source_tools (source_id, name, published_hash, accepted_hash) VALUES `,
        ...commaList(batch, ({ name, published, accepted }) => {
          return sql`(${sourceId}, ${name}, ${published?.hash ?? null}, ${accepted?.hash ?? null})`;
        }),
        sql` ON CONFLICT (source_id, name) DO UPDATE
        SET published_hash = excluded.published_hash, accepted_hash = excluded.accepted_hash`,
      ]),
    );
  }
  if (tools.length === 0) return;
  yield* first(sql`
    DELETE FROM tool_source_definitions
    WHERE source_id = ${sourceId} AND accepted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM tool_source_tools t
      WHERE t.source_id = tool_source_definitions.source_id AND t.name = tool_source_definitions.name
        AND t.published_hash = tool_source_definitions.hash)`);
  yield* first(sql`
    UPDATE tool_source_definitions SET superseded_at = ${at}
    WHERE source_id = ${sourceId} AND superseded_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM tool_source_tools t
      WHERE t.source_id = tool_source_definitions.source_id AND t.name = tool_source_definitions.name
        AND (t.published_hash = tool_source_definitions.hash OR t.accepted_hash = tool_source_definitions.hash))`);
}

/** Forgets the tools of a source. Their definitions are kept for executions that use them. */
export function* forgetSourceTools(sourceId: string, at: EpochMs): UnitOfWork<void> {
  yield* first(sql`DELETE FROM tool_source_tools WHERE source_id = ${sourceId}`);
  yield* first(sql`
    UPDATE tool_source_definitions SET superseded_at = ${at} WHERE source_id = ${sourceId} AND superseded_at IS NULL`);
}

/**
 * Deletes up to `limit` definitions that were superseded before `before`, except those that govern a version of a
 * workspace tool, and those that an unfinished execution may use: it uses only definitions that were current after it
 * was created.
 * @param marginMs - maximum difference between the clocks of two processes.
 * @returns the number of deleted definitions.
 */
export function* deleteSuperseded(before: EpochMs, marginMs: number, limit: number): UnitOfWork<number> {
  const records = yield* all(sql<{ source_id: string; name: string; hash: string }>`
    SELECT d.source_id, d.name, d.hash FROM tool_source_definitions d JOIN tool_sources s ON s.id = d.source_id
    WHERE d.superseded_at < ${before} AND NOT EXISTS (
      SELECT 1 FROM executions e
      WHERE e.workspace_id = s.workspace_id AND e.is_open = 1 AND e.created_at <= d.superseded_at + ${marginMs})
      AND (s.archived_at IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM ruled_versions r WHERE r.source_id = d.source_id AND r.name = d.name AND r.hash = d.hash))
    ORDER BY d.superseded_at LIMIT ${limit}`);
  for (const { source_id, name, hash } of records) {
    yield* first(sql`
      DELETE FROM tool_source_definitions WHERE source_id = ${source_id} AND name = ${name} AND hash = ${hash}`);
  }
  return records.length;
}

function* insertDefinitions(sourceId: string, tools: readonly SourceToolChange[]): UnitOfWork<void> {
  const definitions = tools.flatMap(({ name, published, accepted }) => {
    const isOne = published?.hash === accepted?.hash;
    return [published, isOne ? null : accepted].flatMap((version) => (version === null ? [] : [{ name, ...version }]));
  });
  for (const batch of inBatches(definitions)) {
    yield* first(
      joinSql([
        sql`
    INSERT INTO tool_source_definitions (source_id, name, hash, content, accepted_at, withdrawn_at) VALUES `,
        ...commaList(batch, ({ name, hash, content }) => sql`(${sourceId}, ${name}, ${hash}, ${content}, NULL, NULL)`),
        sql` ON CONFLICT (source_id, name, hash) DO UPDATE SET superseded_at = NULL
    WHERE tool_source_definitions.superseded_at IS NOT NULL`,
      ]),
    );
  }
}

function* markAccepted(sourceId: string, tools: readonly SourceToolChange[], at: EpochMs): UnitOfWork<void> {
  const accepted = tools.flatMap((tool) =>
    tool.accepted === null ? [] : [{ name: tool.name, hash: tool.accepted.hash }],
  );
  for (const batch of inBatches(accepted)) {
    yield* first(
      joinSql([
        sql`
    UPDATE tool_source_definitions SET accepted_at = ${at}, withdrawn_at = NULL
    WHERE source_id = ${sourceId} AND (accepted_at IS NULL OR withdrawn_at IS NOT NULL) AND (name, hash) IN (VALUES `,
        ...commaList(batch, ({ name, hash }) => sql`(${name}, ${hash})`),
        sql`)`,
      ]),
    );
  }
}

/** Marks every definition of these tools as withdrawn. */
export function* withdrawDefinitions(sourceId: string, names: readonly string[], at: EpochMs): UnitOfWork<void> {
  for (const batch of inBatches(names)) {
    yield* first(
      joinSql([
        sql`
    UPDATE tool_source_definitions SET withdrawn_at = ${at}
    WHERE source_id = ${sourceId} AND withdrawn_at IS NULL AND name IN (`,
        ...commaList(batch, (name) => sql`${name}`),
        sql`)`,
      ]),
    );
  }
}

/** @throws YagateError `TOO_MANY_TOOLS` if the sources of the workspace publish more than `maxTools`. */
export function* assertFewTools(workspaceId: string, maxTools: number): UnitOfWork<void> {
  const row = yield* first(sql<{ count: number }>`
    SELECT count(*) AS count FROM tool_sources s JOIN tool_source_tools t ON t.source_id = s.id
    WHERE s.workspace_id = ${workspaceId} AND s.archived_at IS NULL AND t.published_hash IS NOT NULL`);
  const count = Number(row?.count ?? 0);
  if (count <= maxTools) return;
  const message = `expected at most ${maxTools} tools from all tool sources of a workspace; there would be ${count}: exclude tools that no agent uses`;
  throw new YagateError("TOO_MANY_TOOLS", message);
}

/** Counts the tools of a source. */
export function* countTools(sourceId: string): UnitOfWork<ToolCounts> {
  const row = yield* first(sql<Record<keyof ToolCounts, number>>`
    SELECT count(published_hash) AS published,
           count(CASE WHEN published_hash = accepted_hash THEN 1 END) AS accepted,
           count(CASE WHEN published_hash IS NULL THEN 1 END) AS removed
    FROM tool_source_tools WHERE source_id = ${sourceId}`);
  const { published = 0, accepted = 0, removed = 0 } = row ?? {};
  return {
    published: Number(published),
    accepted: Number(accepted),
    removed: Number(removed),
  };
}

/** Identifies a definition of a tool. */
export interface SourceDefinitionKey {
  readonly source: string;
  /** The published name. */
  readonly tool: string;
  readonly hash: string;
}

/**
 * Whether a definition may run. `withdrawn`: its acceptance was revoked, or the source was deleted. `removed`: the
 * source no longer publishes the tool.
 */
export type DefinitionStanding = "current" | "withdrawn" | "removed";

/** Finds accepted definitions, in the same order. */
export function* findDefinitions(
  pins: readonly SourceDefinitionKey[],
): UnitOfWork<readonly (SourceDefinition | undefined)[]> {
  const keyOf = (source: string, tool: string, hash: string) => JSON.stringify([source, tool, hash]);
  const found = new Map<string, SourceDefinition>();
  for (const batch of inBatches(pins)) {
    const records = yield* all(
      joinSql<SourceDefinition & { source_id: string; name: string }>([
        sql`
    SELECT source_id, name, hash, content FROM tool_source_definitions
    WHERE accepted_at IS NOT NULL AND (source_id, name, hash) IN (VALUES `,
        ...commaList(batch, ({ source, tool, hash }) => sql`(${source}, ${tool}, ${hash})`),
        sql`)`,
      ]),
    );
    for (const { source_id, name, hash, content } of records)
      found.set(keyOf(source_id, name, hash), { hash, content });
  }
  return pins.map(({ source, tool, hash }) => found.get(keyOf(source, tool, hash)));
}

/** What decides whether a definition may run. */
export interface StandingRecord {
  readonly archived_at: number | null;
  /** Null if the definition does not exist. */
  readonly hash: string | null;
  readonly withdrawn_at: number | null;
  readonly published: string | null;
}

/** Returns whether a definition may run. */
export function toStanding({ archived_at, hash, withdrawn_at, published }: StandingRecord): DefinitionStanding {
  if (archived_at !== null || hash === null || withdrawn_at !== null) return "withdrawn";
  return published === null ? "removed" : "current";
}

/** Returns whether a definition may still run. */
export function* standingOf({ source, tool, hash }: SourceDefinitionKey): UnitOfWork<DefinitionStanding> {
  const record = yield* first(sql<StandingRecord>`
    SELECT s.archived_at, d.hash, d.withdrawn_at, t.published_hash AS published
    FROM tool_sources s
    JOIN tool_source_definitions d ON d.source_id = s.id AND d.name = ${tool} AND d.hash = ${hash}
    LEFT JOIN tool_source_tools t ON t.source_id = s.id AND t.name = d.name
    WHERE s.id = ${source}`);
  return record === undefined ? "withdrawn" : toStanding(record);
}
