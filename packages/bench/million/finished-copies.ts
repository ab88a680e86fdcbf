import { randomBytes } from "node:crypto";

/** One of a table's rows, as its database returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of one execution that has ended, by the tables that they are in. */
export type FinishedRows = ReadonlyMap<string, readonly Row[]>;

/** What of an execution is its own. */
export interface OwnIds {
  readonly execution: string;
  readonly call: string;
  readonly attempt: string;
}

/** The tables that hold an execution, and how its rows are found there by its id, which is bound as `?`. */
export const TABLES: ReadonlyMap<string, string> = new Map([
  ["executions", "id = ?"],
  ["execution_requests", "execution_id = ?"],
  ["appends", "execution_id = ?"],
  ["call_ids", "execution_id = ?"],
  ["exchanges", "attempt_id IN (SELECT id FROM call_ids WHERE execution_id = ?)"],
]);

/** Of an execution with one call of one attempt. */
function ownIdsOf(rows: FinishedRows): OwnIds {
  const textOf = (table: string, column: string) => String(rows.get(table)?.[0]?.[column]);
  const calls = rows.get("call_ids") ?? [];
  const call = String(calls.find((row) => row["tool_call_id"] === null)?.["id"]);
  return { execution: textOf("executions", "id"), call, attempt: textOf("exchanges", "attempt_id") };
}

/**
 * The statements that copy an execution's rows, once for each row of `fresh`: every text is the same but for the ids.
 *
 * @param fresh - rows `f` with the columns `execution`, `call`, `attempt` and `at`, in the SQL of the database.
 */
export function copyStatements(rows: FinishedRows, fresh: string): readonly string[] {
  const own = ownIdsOf(rows);
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const expressionOf = (column: string, value: unknown): string => {
    if (column === "created_at") return "f.at";
    if (value === null) return "NULL";
    if (typeof value !== "string") return String(value);
    const ids = Object.entries(own).filter(([, id]) => value.includes(id));
    return ids.reduce((sql, [name, id]) => `replace(${sql}, ${quote(id)}, f.${name})`, quote(value));
  };
  return [...rows].flatMap(([table, ofTable]) =>
    ofTable.map((row) => {
      const columns = Object.keys(row);
      const expressions = columns.map((column) => expressionOf(column, row[column]));
      return `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${expressions.join(", ")} FROM ${fresh}`;
    }),
  );
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX_DIGITS = 26;
const RANDOM_BYTES = 10;

/** Ids as the gateway makes them, of a moment in the past: they sort by it. */
function idsAt(at: number): OwnIds {
  const suffix = () => {
    const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`);
    let number = (BigInt(at) << 80n) | random;
    let text = "";
    for (let digit = 0; digit < SUFFIX_DIGITS; digit += 1) {
      text = `${ALPHABET[Number(number & 31n)]}${text}`;
      number >>= 5n;
    }
    return text;
  };
  return { execution: `exec_${suffix()}`, call: `tc_${suffix()}`, attempt: `att_${suffix()}` };
}

/** Moments of the last days, oldest first, in batches: as many executions, evenly spread. */
export function* freshBatches(count: number, batch: number): Generator<readonly (OwnIds & { readonly at: number })[]> {
  const DAYS_MS = 5 * 86_400_000;
  const first = Date.now() - DAYS_MS;
  for (let done = 0; done < count; done += batch) {
    const size = Math.min(batch, count - done);
    yield Array.from({ length: size }, (_, index) => {
      const at = first + Math.floor((DAYS_MS * (done + index)) / count);
      return { ...idsAt(at), at };
    });
  }
}
