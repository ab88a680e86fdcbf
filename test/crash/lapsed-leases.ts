import { execute } from "../../packages/store/test/support/execute.ts";

/** As if so much time had gone by that the leases of whoever has ended have run out. Without a URL, nothing happens. */
export async function letLeasesLapse(databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl !== undefined) await execute(databaseUrl, "UPDATE executions SET lease_until = 0 WHERE is_open = 1");
}
