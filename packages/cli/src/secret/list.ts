import type { Secret } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/** Prints the workspace's secrets, without their values. */
export async function listSecrets(invocation: Invocation): Promise<void> {
  const client = await invocation.client();
  const secrets = await client.secrets.list({ limit: 200 }).toArray();
  invocation.output.result(secrets, () => describe(secrets));
}

function describe(secrets: readonly Secret[]): string {
  if (secrets.length === 0) return "There are no secrets in this workspace.";
  const rows = secrets.map(({ name, updatedAt, auth, hosts }) => [
    name,
    updatedAt,
    auth?.type ?? "-",
    hosts.length === 0 ? "-" : hosts.join(","),
  ]);
  return table([["NAME", "UPDATED", "AUTH", "HOSTS"], ...rows]);
}
