import { gatewayClient } from "../gateway-client.ts";

/** Deletes a secret of the workspace. */
export async function deleteSecret(name: string): Promise<void> {
  await gatewayClient().secrets.delete(name);
  console.log(`${name} was deleted.`);
}
