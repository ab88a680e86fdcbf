import { commaList, inBatches } from "../row-batches.ts";
import { joinSql, sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";

/** Reads the names of a source's tools whose acceptance a person revoked, including tools that are no longer published. */
export function* readRevokedTools(sourceId: string): UnitOfWork<readonly string[]> {
  const records = yield* all(sql<{ name: string }>`SELECT name FROM revoked_tools WHERE source_id = ${sourceId}`);
  return records.map(({ name }) => name);
}

/** Records that a person revoked the acceptance of tools. */
export function* rememberRevokedTools(sourceId: string, names: readonly string[]): UnitOfWork<void> {
  for (const batch of inBatches(names)) {
    yield* first(
      joinSql([
        sql`INSERT INTO revoked_tools (source_id, name) VALUES `,
        ...commaList(batch, (name) => sql`(${sourceId}, ${name})`),
        sql` ON CONFLICT (source_id, name) DO NOTHING`,
      ]),
    );
  }
}

/** Forgets that the acceptance of tools was revoked, because they are accepted again. */
export function* forgetRevokedTools(sourceId: string, names: readonly string[]): UnitOfWork<void> {
  for (const batch of inBatches(names)) {
    yield* first(
      joinSql([
        sql`DELETE FROM revoked_tools WHERE source_id = ${sourceId} AND name IN (`,
        ...commaList(batch, (name) => sql`${name}`),
        sql`)`,
      ]),
    );
  }
}
