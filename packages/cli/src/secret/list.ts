import { type Secret, toVisibleText } from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";
import { table } from "../table.ts";

/** Prints the workspace's secrets, without their values. */
export async function listSecrets({ json = false }: { readonly json?: boolean }): Promise<void> {
  const secrets = await gatewayClient().secrets.list({ limit: 200 }).toArray();
  console.log(json ? toVisibleText(JSON.stringify(secrets, null, 2)) : describe(secrets));
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
