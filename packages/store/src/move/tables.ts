import { YagateError } from "@yagate/protocol";

/** A column of a store, as its database describes it. */
export interface Column {
  readonly table: string;
  readonly name: string;
  /** PostgreSQL's name of the type; SQLite's in the source. */
  readonly type: string;
  /** The position in the primary key, from 1; 0: not in it. The target's columns do not state it. */
  readonly key: number;
}

/** A table that is copied row by row. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The columns of the primary key, in its order. */
  readonly keys: readonly MovedColumn[];
  /** The condition, in both databases, for the rows that are copied. */
  readonly condition: string;
}

/** A column of the target. */
export interface MovedColumn {
  readonly name: string;
  readonly type: string;
  /** The SQL expression of the value in the source, in which the row is `t`. */
  readonly source: string;
}

/**
 * Tables that are not copied, with the reason. The rows of the target are derived from the copied ones.
 *
 * @see completeTarget
 */
export const NOT_COPIED: ReadonlyMap<string, string> = new Map([
  ["execution_metadata", "a trigger of the target adds a hash for each pair that the source contains as text"],
  ["read_model_changes", "the source finds changed executions by their rows, the target lists them"],
  ["stored_bytes_changes", "only the target has changes that are not in its totals"],
  ["stored_bytes_positions", "only the source counts its rows in the order in which they were written"],
  ["workspace_stored_bytes", "the totals of the target contain all rows, those of the source only counted ones"],
  ["yagate_migrations", "each database has its own migrations"],
]);

const STORED_BYTES = `
  coalesce((SELECT octet_length(r.request) FROM execution_requests r WHERE r.execution_id = t.id), 0)
  + coalesce((SELECT sum(octet_length(a.entries) + coalesce(octet_length(a.link), 0))
      FROM appends a WHERE a.execution_id = t.id), 0)`;

/** Columns that only the target has, with their values. */
const ADDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // No append has this token: the row belongs to no statement whose outcome is unknown.
  appends: { token: "0" },
  agent_versions: { is_counted: "1" },
  tool_versions: { is_counted: "1" },
  executions: { stored_bytes: STORED_BYTES },
  execution_texts: { workspace_id: "(SELECT e.workspace_id FROM executions e WHERE e.id = t.execution_id)" },
  exchanges: {
    workspace_id:
      "(SELECT e.workspace_id FROM call_ids c JOIN executions e ON e.id = c.execution_id WHERE c.id = t.attempt_id)",
  },
  idempotency_keys: {
    created_at: "coalesce((SELECT e.created_at FROM executions e WHERE e.id = t.execution_id), t.expires_at)",
  },
};

/** The setting of the target that says how far the copy is. */
export const MOVE_SETTING = "store_move";

/** Settings that belong to one of the databases. */
export const OWN_SETTINGS = [
  "ping",
  "read_models.appends",
  "stored_bytes.walked",
  "stored_form.min_reader",
  MOVE_SETTING,
];

const CONDITIONS: Readonly<Record<string, string>> = {
  settings: `t.name NOT IN (${OWN_SETTINGS.map((name) => `'${name}'`).join(", ")})`,
};

/** Tables whose rows triggers of other tables read. */
const FIRST = ["executions", "tool_sources"];

const TYPES: ReadonlySet<string> = new Set(["text", "bigint", "integer", "double precision"]);

/**
 * Decides from the schemas of both databases what is copied, so that no table can be forgotten.
 *
 * @returns the tables in the order in which they are copied.
 * @throws YagateError `INTERNAL` if a table or a column is in one of the schemas only and nothing says how to treat it.
 */
export function movedTables(source: readonly Column[], target: readonly Column[]): readonly MovedTable[] {
  const isCopied = ({ table }: Column) => !NOT_COPIED.has(table);
  const sources = Map.groupBy(source.filter(isCopied), ({ table }) => table);
  const targets = Map.groupBy(target.filter(isCopied), ({ table }) => table);
  const names = [...new Set([...sources.keys(), ...targets.keys()])].toSorted();
  const ordered = [...FIRST.filter((name) => names.includes(name)), ...names.filter((name) => !FIRST.includes(name))];
  return ordered.map((name) => movedTable(name, sources.get(name) ?? [], targets.get(name) ?? []));
}

function movedTable(name: string, source: readonly Column[], target: readonly Column[]): MovedTable {
  const added = ADDED[name] ?? {};
  const known = new Set(source.map((column) => column.name));
  const missing = source.filter((column) => !target.some((other) => other.name === column.name));
  const columns = target.map((column): MovedColumn => {
    const expression = known.has(column.name) ? `t.${column.name}` : added[column.name];
    if (expression === undefined || !TYPES.has(column.type)) throw unknownColumn(column);
    return { name: column.name, type: column.type, source: expression };
  });
  const [first] = missing;
  if (first !== undefined) throw unknownColumn(first);
  const keys = source
    .filter(({ key }) => key > 0)
    .toSorted((a, b) => a.key - b.key)
    .flatMap((key) => columns.filter((column) => column.name === key.name));
  if (keys.length === 0) throw new YagateError("INTERNAL", `expected the table ${name} to have a primary key`);
  return { name, columns, keys, condition: CONDITIONS[name] ?? "true" };
}

function unknownColumn({ table, name, type }: Column): YagateError {
  return new YagateError("INTERNAL", `expected to know how to copy the column ${table}.${name} (${type})`);
}
