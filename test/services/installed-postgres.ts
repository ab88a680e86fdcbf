import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where Debian and Ubuntu install each version of PostgreSQL. */
const INSTALLED = "/usr/lib/postgresql";

/** The folder with the `bin` of a PostgreSQL of this machine that has its tools, such as `pg_dump`; the newest one. */
export function findInstalledPostgres(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const versions = readdirSync(INSTALLED).toSorted((left, right) => Number(right) - Number(left));
  const isWhole = (folder: string) =>
    ["initdb", "postgres", "pg_dump", "pg_restore"].every((program) => existsSync(join(folder, "bin", program)));
  return versions.map((version) => join(INSTALLED, version)).find(isWhole);
}
