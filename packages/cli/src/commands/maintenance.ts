import type { CommandSpec } from "../frame/command-spec.ts";
import { GROUPS } from "./groups.ts";

export const migrate: CommandSpec = {
  name: "migrate",
  summary: "Migrate a PostgreSQL database to the schema of this version",
  group: GROUPS.gateway,
  options: [
    {
      flags: "--finish",
      text: "finish the migration, once no gateway of an older version uses the database; this cannot be undone",
    },
  ],
  examples: ["DATABASE_URL=postgres://yagate@db.internal/yagate yagate migrate"],
  notes: [
    "The command reads DATABASE_URL. Gateways may continue to run. They apply the same migration when they start, unless YAGATE_MIGRATIONS is check.",
    "After --finish, gateways write rows that older versions cannot read. Running the command again changes nothing.",
    "--finish fails if a gateway of an older version is running executions, and lists the owners of these executions.",
  ],
  page: "postgresql#migrations",
  output: { schema: "Migration" },
  run: async ({ open, options }) =>
    (await import("../gateway/migrate.ts")).migrate(await open(), { isLast: options["finish"] === true }),
};

export const migrateStore: CommandSpec = {
  name: "migrate-store",
  summary: "Copy a SQLite store, with its waiting executions, into a PostgreSQL database",
  group: GROUPS.gateway,
  options: [
    { flags: "--from <folder>", text: "data directory with the store (default: YAGATE_DATA_DIR, or ./.yagate)" },
    {
      flags: "--to <url>",
      text: "URL of an empty database (default: DATABASE_URL, which keeps a password out of sight)",
    },
  ],
  examples: ["DATABASE_URL=postgres://yagate@db.internal/yagate yagate migrate-store --from ./data"],
  notes: [
    "Stop the gateway first. The command reads YAGATE_MASTER_KEYS or master.key to compare receipts; it does not copy the keys, and gateways on the database need the same ones.",
    "If the command is interrupted, run it again: it continues. No gateway can use the database before all rows and receipts are compared.",
    "The exit status is 1 if the database differs from the store.",
  ],
  page: "postgresql#move-a-sqlite-store",
  output: { schema: "StoreMigration" },
  run: async ({ open, options }) => (await import("../gateway/migrate-store.ts")).migrateStore(await open(), options),
};

export const backup: CommandSpec = {
  name: "backup",
  summary: "Copy the data directory of a gateway, even while the gateway is running",
  group: GROUPS.gateway,
  arguments: [{ name: "<folder>", text: "new or empty folder, from which a gateway can be started" }],
  options: [
    { flags: "-d, --data-dir <folder>", text: "directory to copy (default: YAGATE_DATA_DIR, or ./.yagate)" },
    {
      flags: "--with-master-key",
      text: "also copy the file master.key; anyone who gets the folder can then read every secret in it",
    },
  ],
  examples: ["yagate backup ./copies/monday"],
  notes: ["Only the owner can read the copy. Use pg_dump to copy data in PostgreSQL."],
  page: "backup-and-restore",
  output: { schema: "Backup" },
  run: async ({ args: [folder = ""], open, options }) =>
    (await import("../gateway/backup.ts")).backup(await open(), folder, options),
};
