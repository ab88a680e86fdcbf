import { execute } from "../../packages/store/test/support/execute.ts";

/** Expires the leases of all open executions, as if their owners had ended long ago. Without a URL, nothing happens. */
export async function letLeasesLapse(databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl !== undefined) await execute(databaseUrl, "UPDATE executions SET lease_until = 0 WHERE is_open = 1");
}
