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

export const backup: CommandSpec = {
  name: "backup",
  summary: "Copy the data directory of a gateway, even while the gateway is running",
  group: GROUPS.gateway,
  arguments: [{ name: "<folder>", text: "new or empty folder, from which a gateway can be started" }],
  options: [
    { flags: "-d, --data-dir <folder>", text: "directory to copy (default: YAGATE_DATA_DIR, or ./.yagate)" },
    {
      flags: "--with-master-key",
      text: "also copy the file master.key; everyone who gets the folder can then read every secret in it",
    },
  ],
  examples: ["yagate backup ./copies/monday"],
  notes: ["Only the owner can read the copy. Use pg_dump to copy data in PostgreSQL."],
  page: "backup-and-restore",
  output: { schema: "Backup" },
  run: async ({ args: [folder = ""], open, options }) =>
    (await import("../gateway/backup.ts")).backup(await open(), folder, options),
};
