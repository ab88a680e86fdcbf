import { randomBytes } from "node:crypto";

/** One of a table's rows, as its database returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of one execution that has ended, by the tables that they are in. */
export type FinishedRows = ReadonlyMap<string, readonly Row[]>;

/** The tables that contain an execution, and the conditions that find its rows by its id, which is bound as `?`. */
export const TABLES: ReadonlyMap<string, string> = new Map([
  ["executions", "id = ?"],
  ["execution_requests", "execution_id = ?"],
  ["appends", "execution_id = ?"],
]);

/** Columns that the database computes from the others. */
const GENERATED: readonly string[] = ["ended_status", "ended_reason"];

/** The columns with times. */
const TIMES: readonly string[] = ["created_at", "exchanged_at"];

/**
 * The statements that copy an execution's rows, once for each row of `fresh`: all texts are the same except for the id
 * of the execution, which the ids of its calls and attempts contain.
 *
 * @param fresh - rows `f` with the columns `id`, without its prefix, and `at`, in the SQL of the database.
 */
export function copyStatements(rows: FinishedRows, fresh: string): readonly string[] {
  const own = String(rows.get("executions")?.[0]?.["id"]).slice("exec_".length);
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const expressionOf = (column: string, value: unknown): string => {
    if (value === null) return "NULL";
    if (TIMES.includes(column)) return "f.at";
    if (typeof value !== "string") return String(value);
    return value.includes(own) ? `replace(${quote(value)}, ${quote(own)}, f.id)` : quote(value);
  };
  return [...rows].flatMap(([table, ofTable]) =>
    ofTable.map((row) => {
      const columns = Object.keys(row).filter((column) => !GENERATED.includes(column));
      const expressions = columns.map((column) => expressionOf(column, row[column]));
      return `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${expressions.join(", ")} FROM ${fresh}`;
    }),
  );
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_DIGITS = 26;
const RANDOM_BYTES = 10;

/** Returns an id for a time in the past, in the gateway's format and without a prefix. Ids sort by their time. */
function idAt(at: number): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`);
  let number = (BigInt(at) << 80n) | random;
  let text = "";
  for (let digit = 0; digit < ID_DIGITS; digit += 1) {
    text = `${ALPHABET[Number(number & 31n)]}${text}`;
    number >>= 5n;
  }
  return text;
}

/** Start times within the last days, oldest first, in batches: one per execution, evenly spread. */
export function* freshBatches(
  count: number,
  batch: number,
): Generator<readonly { readonly id: string; readonly at: number }[]> {
  const DAYS_MS = 5 * 86_400_000;
  const first = Date.now() - DAYS_MS;
  for (let done = 0; done < count; done += batch) {
    const size = Math.min(batch, count - done);
    yield Array.from({ length: size }, (_, index) => {
      const at = first + Math.floor((DAYS_MS * (done + index)) / count);
      return { id: idAt(at), at };
    });
  }
}
