import type { CompleteConfig } from "@yagate/gateway";

/** Describes where a gateway keeps its data, without the credentials of a database. */
export function dataPlace({ dataDir, databaseUrl }: Pick<CompleteConfig, "dataDir" | "databaseUrl">): string {
  if (databaseUrl === undefined) return dataDir;
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `PostgreSQL at ${host || searchParams.get("host")}${pathname}`;
}
