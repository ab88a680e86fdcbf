import { hash } from "node:crypto";
import { YagateError } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";
import type { ExecutionRecord } from "./execution-record.ts";

/** Minimum length, in characters of JSON, of a text that is stored separately. */
export const MIN_APART_CHARACTERS = 32_768;

/** A text that is stored separately, keyed by its hash. */
export interface TextApart {
  /** SHA-256 of `text`, in base64url. */
  readonly hash: string;
  /** The text, escaped as in a JSON string, without quotes. */
  readonly text: string;
}

/** The position of a text in the shortened JSON, and the text's hash. */
type Reference = readonly [position: number, hash: string];

/**
 * Marks a column in the short form; no JSON starts with it. After the mark come the length of the complete JSON in
 * bytes, the references as JSON, a line feed, and the JSON with an empty string in place of each large text.
 */
const MARK = "~1";
const BYTES_DIGITS = 12;
const REFERENCES_START = MARK.length + BYTES_DIGITS;

/** Returns the SQL expression that does the same as {@link shortJson} on SQLite. */
export function shortJsonOf(column: string): string {
  return `CASE WHEN substr(${column}, 1, ${MARK.length}) = '${MARK}'
    THEN substr(${column}, instr(${column}, char(10)) + 1) ELSE ${column} END`;
}

/** Moves large texts out of the JSON columns of one commit. */
export class TextShortener {
  readonly #hashes = new Map<string, string>();

  /** The texts that were moved out of the JSON, without duplicates. */
  get texts(): readonly TextApart[] {
    return [...this.#hashes].map(([text, textHash]) => ({ hash: textHash, text }));
  }

  /**
   * Moves large texts out of a JSON document.
   *
   * @param json - written by `JSON.stringify`.
   * @returns the JSON in the short form, or unchanged if it contains no large text.
   */
  shorten(json: string): string {
    if (json.length < MIN_APART_CHARACTERS) return json;
    const references: Reference[] = [];
    const pieces: string[] = [];
    let taken = 0;
    let kept = 0;
    for (const [start, end] of largeStringsIn(json)) {
      const text = json.slice(start, end);
      pieces.push(json.slice(kept, start));
      references.push([start - taken, this.#hashOf(text)]);
      taken += text.length;
      kept = end;
    }
    if (references.length === 0) return json;
    const bytes = `${Buffer.byteLength(json)}`.padStart(BYTES_DIGITS, "0");
    return `${MARK}${bytes}${JSON.stringify(references)}\n${pieces.join("")}${json.slice(kept)}`;
  }

  #hashOf(text: string): string {
    const known = this.#hashes.get(text);
    if (known !== undefined) return known;
    const textHash = hash("sha256", text, "base64url");
    this.#hashes.set(text, textHash);
    return textHash;
  }
}

/** Yields the positions of the large strings in JSON, without their quotes. */
function* largeStringsIn(json: string): Generator<readonly [start: number, end: number]> {
  let quote = json.indexOf('"');
  while (quote >= 0) {
    const start = quote + 1;
    const end = endOfString(json, start);
    if (end < 0) return;
    if (end - start >= MIN_APART_CHARACTERS) yield [start, end];
    quote = json.indexOf('"', end + 1);
  }
}

/** Returns the position of the closing quote of a string. */
function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start);
  while (quote >= 0 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote;
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote;
  while (json[before - 1] === "\\") before -= 1;
  return (quote - before) % 2 === 1;
}

/** Checks whether a column has the short form. */
export function isShortened(stored: string): boolean {
  return stored.startsWith(MARK);
}

/**
 * Returns the hashes of the texts that were moved out of a column. @throws YagateError `UNAVAILABLE` if the column is
 * damaged.
 */
export function hashesIn(stored: string): readonly string[] {
  return isShortened(stored) ? referencesIn(stored).map(([, textHash]) => textHash) : [];
}

/** Returns the JSON of a column, with empty strings in place of large texts. */
export function shortJson(stored: string): string {
  return isShortened(stored) ? stored.slice(stored.indexOf("\n") + 1) : stored;
}

function referencesIn(stored: string): readonly Reference[] {
  return fromJson<readonly Reference[]>(stored.slice(REFERENCES_START, Math.max(stored.indexOf("\n"), 0)));
}

/**
 * Restores the JSON of a column, byte for byte as it was passed to {@link TextShortener}.
 *
 * If a text was changed in the database, this function returns the changed text. Seals cover the complete JSON, so the
 * receipt shows the change.
 *
 * @param texts - by hash.
 * @throws YagateError `UNAVAILABLE` if a text is missing.
 */
export function putTextsBack(stored: string, texts: ReadonlyMap<string, string>): string {
  if (!isShortened(stored)) return stored;
  const json = shortJson(stored);
  const pieces: string[] = [];
  let kept = 0;
  for (const [position, textHash] of referencesIn(stored)) {
    const text = texts.get(textHash);
    if (text === undefined) throw new YagateError("UNAVAILABLE", "the store is damaged: a large text is missing");
    pieces.push(json.slice(kept, position), text);
    kept = position;
  }
  return `${pieces.join("")}${json.slice(kept)}`;
}

function* findTexts(executionId: string, hashes: ReadonlySet<string>): UnitOfWork<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const hash of hashes) {
    const row = yield* first(sql<{ text: string }>`
      SELECT text FROM execution_texts WHERE execution_id = ${executionId} AND hash = ${hash}`);
    if (row !== undefined) texts.set(hash, row.text);
  }
  return texts;
}

function* isThere(executionId: string): UnitOfWork<boolean> {
  return (yield* first(sql<{ id: string }>`SELECT id FROM executions WHERE id = ${executionId}`)) !== undefined;
}

/**
 * Reads JSON columns of one execution, including texts that are stored separately.
 *
 * @returns undefined if the execution was deleted between two reads.
 * @throws YagateError `UNAVAILABLE` if a text is missing.
 */
export function* readColumns(
  executionId: string,
  columns: readonly string[],
): UnitOfWork<readonly string[] | undefined> {
  if (!columns.some(isShortened)) return columns;
  const hashes = new Set(columns.flatMap(hashesIn));
  const texts = yield* findTexts(executionId, hashes);
  if (texts.size < hashes.size && !(yield* isThere(executionId))) return undefined;
  return columns.map((stored) => putTextsBack(stored, texts));
}

/**
 * Reads a row of `executions` with its request, including texts that are stored separately; see {@link readColumns}.
 */
export function* readRecord<Row extends ExecutionRecord>(record: Row): UnitOfWork<Row | undefined> {
  if (!isShortened(record.request) && !isShortened(record.summary)) return record;
  const [request, summary] = (yield* readColumns(record.id, [record.request, record.summary])) ?? [];
  return request === undefined || summary === undefined ? undefined : { ...record, request, summary };
}
