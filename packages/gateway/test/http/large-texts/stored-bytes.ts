import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { execute } from "../../../../store/test/support/execute.ts";

/** The place of a journal, beside the gateway that writes it. */
export interface JournalPlace {
  /** All that its tables hold, in bytes of their columns as texts. */
  bytes(): Promise<number>;
  /** Runs a statement that SQLite and PostgreSQL both understand. */
  run(statement: string): Promise<void>;
}

const sumOf = (columns: readonly string[], cast: (name: string) => string) =>
  columns.map((name) => `coalesce(sum(octet_length(${cast(name)})), 0)`).join(" + ");

export function sqlitePlace(dataDir: string): JournalPlace {
  const open = () => new DatabaseSync(join(dataDir, "journal.db"));
  return {
    async bytes() {
      const database = open();
      try {
        const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
        return tables.reduce((total, { name }) => {
          const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(`${name}`);
          const sum = sumOf(
            columns.map((column) => `"${column.name}"`),
            (column) => `CAST(${column} AS TEXT)`,
          );
          return total + Number(database.prepare(`SELECT ${sum} AS bytes FROM ${name}`).get()?.bytes);
        }, 0);
      } finally {
        database.close();
      }
    },
    async run(statement) {
      const database = open();
      try {
        database.exec(statement);
      } finally {
        database.close();
      }
    },
  };
}

export function postgresPlace(databaseUrl: string): JournalPlace {
  return {
    async bytes() {
      const columns = await execute<{ table_name: string; names: string[] }>(
        databaseUrl,
        `SELECT table_name, array_agg('"' || column_name || '"') AS names FROM information_schema.columns
         WHERE table_schema = 'public' GROUP BY table_name`,
      );
      let total = 0;
      for (const { table_name, names } of columns) {
        const sum = sumOf(names, (name) => `${name}::text`);
        const [row] = await execute<{ bytes: string }>(databaseUrl, `SELECT ${sum} AS bytes FROM ${table_name}`);
        total += Number(row?.bytes);
      }
      return total;
    },
    async run(statement) {
      await execute(databaseUrl, statement);
    },
  };
}
