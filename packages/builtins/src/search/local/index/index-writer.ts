import type { DatabaseSync } from "node:sqlite";
import type { SkipReason } from "../documents/document-file.ts";
import type { IndexedDocument } from "./document-terms.ts";

/** The metadata of a file at the time it was read. */
export interface FileState {
  /** The path relative to the folder. */
  readonly path: string;
  /** ns since the epoch; a bigint, because a number cannot represent it exactly. */
  readonly modifiedNs: bigint;
  readonly size: number;
}

/** The record of a file in the index. */
export interface KnownFile extends FileState {
  readonly id: number;
  readonly hash: string;
  /** ms since the epoch. */
  readonly checkedAt: number;
  readonly skipped: SkipReason | undefined;
}

/** Modifies an index. Changes take effect on `commit`. */
export interface IndexWriter {
  readFiles(): readonly KnownFile[];
  /** Replaces the record of a file. */
  put(file: FileState, hash: string, content: IndexedDocument | SkipReason, checkedAt: number): void;
  /** Updates the metadata of a file whose content has not changed. */
  touch(id: number, file: FileState, checkedAt: number): void;
  remove(id: number): void;
  /**
   * Copies some of the index's terms to the list with which mistyped words are compared. Terms stay in the list after
   * their documents are deleted; the vocabulary reports whether a term is still in use.
   *
   * @param after - the last term that was copied; initially the empty string.
   * @returns the new last term; `undefined` at the end.
   */
  learnTerms(after: string): string | undefined;
  /** Commits all changes since the last commit or rollback. */
  commit(): void;
  /** Rolls back all changes since the last commit. */
  rollback(): void;
}

const TERMS_AT_ONCE = 200;
/**
 * Matches terms that are worth correcting. Shorter terms have too many neighbours, and longer ones are rarely words.
 */
const CORRECTABLE = /^[\p{L}\p{M}]{4,32}$/u;

export function createIndexWriter(database: DatabaseSync): IndexWriter {
  const findId = database.prepare("SELECT id FROM files WHERE path = ?");
  const insertFile = database.prepare(`
    INSERT INTO files (path, modified_ns, size, hash, checked_at, skipped, title, url, host, published_at, site_name, language, stems)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`);
  const insertUnit = database.prepare("INSERT INTO units (file_id) VALUES (?) RETURNING id");
  const insertPassage = database.prepare(
    "INSERT INTO passages (unit_id, number, heading, text, terms) VALUES (?, ?, ?, ?, ?)",
  );
  const insertTerms = database.prepare("INSERT INTO unit_terms (rowid, title, headings, body) VALUES (?, ?, ?, ?)");
  const touchFile = database.prepare("UPDATE files SET modified_ns = ?, size = ?, checked_at = ? WHERE id = ?");
  const removals = [
    "DELETE FROM unit_terms WHERE rowid IN (SELECT id FROM units WHERE file_id = ?)",
    "DELETE FROM passages WHERE unit_id IN (SELECT id FROM units WHERE file_id = ?)",
    "DELETE FROM units WHERE file_id = ?",
    "DELETE FROM files WHERE id = ?",
  ].map((text) => database.prepare(text));
  const nextTerms = database.prepare("SELECT term FROM vocabulary WHERE term > ? ORDER BY term LIMIT ?");
  const insertTerm = database.prepare("INSERT INTO known_terms (term) VALUES (?) ON CONFLICT DO NOTHING RETURNING id");
  const insertTrigrams = database.prepare("INSERT INTO term_trigrams (rowid, term) VALUES (?, ?)");

  function begin(): void {
    if (!database.isTransaction) database.exec("BEGIN IMMEDIATE");
  }

  function remove(id: number): void {
    begin();
    for (const removal of removals) removal.run(id);
  }

  return {
    readFiles() {
      const statement = database.prepare("SELECT id, path, modified_ns, size, hash, checked_at, skipped FROM files");
      statement.setReadBigInts(true);
      return statement.all().map((row) => ({
        id: Number(row["id"]),
        path: String(row["path"]),
        modifiedNs: BigInt(String(row["modified_ns"])),
        size: Number(row["size"]),
        hash: String(row["hash"]),
        checkedAt: Number(row["checked_at"]),
        skipped: toSkipReason(row["skipped"]),
      }));
    },
    put(file, hash, content, checkedAt) {
      begin();
      const known = findId.get(file.path)?.["id"];
      if (typeof known === "number") remove(known);
      const isSkipped = typeof content === "string";
      const document = isSkipped ? undefined : content.document;
      const row = insertFile.get(
        file.path,
        file.modifiedNs,
        file.size,
        hash,
        checkedAt,
        isSkipped ? content : null,
        document?.title ?? null,
        document?.url ?? null,
        document === undefined ? null : new URL(document.url).hostname,
        document?.publishedAt ?? null,
        document?.siteName ?? null,
        document?.language ?? null,
        isSkipped ? null : content.stems,
      );
      if (isSkipped) return;
      const id = Number(row?.["id"]);
      for (const { headingTerms, passages } of content.units) {
        const unitId = Number(insertUnit.get(id)?.["id"]);
        for (const [number, { heading, text, terms }] of passages.entries()) {
          insertPassage.run(unitId, number, heading, text, terms);
        }
        insertTerms.run(unitId, content.titleTerms, headingTerms, passages.map(({ terms }) => terms).join(" "));
      }
    },
    touch(id, { modifiedNs, size }, checkedAt) {
      begin();
      touchFile.run(modifiedNs, size, checkedAt, id);
    },
    remove,
    learnTerms(after) {
      begin();
      const terms = nextTerms.all(after, TERMS_AT_ONCE).map((row) => String(row["term"]));
      for (const term of terms.filter((one) => CORRECTABLE.test(one))) {
        const id = insertTerm.get(term)?.["id"];
        if (typeof id === "number") insertTrigrams.run(id, term);
      }
      return terms.at(-1);
    },
    commit() {
      if (database.isTransaction) database.exec("COMMIT");
    },
    rollback() {
      if (database.isTransaction) database.exec("ROLLBACK");
    },
  };
}

function toSkipReason(value: unknown): SkipReason | undefined {
  return (["binary", "too_large", "unreadable", "empty"] as const).find((reason) => reason === value);
}
