import { gatewayClient } from "../gateway-client.ts";

/** Deletes an integration of the workspace. */
export async function deleteIntegration(name: string): Promise<void> {
  await gatewayClient().integrations.delete(name);
  console.log(`${name} was deleted.`);
}
