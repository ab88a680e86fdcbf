import { toVisibleLine } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";

/** Deletes an integration of the workspace. */
export async function deleteIntegration(invocation: Invocation, name: string): Promise<void> {
  const client = await invocation.client();
  await invocation.confirm(toVisibleLine(`Delete the integration ${name}?`));
  await client.integrations.delete(name);
  invocation.output.done({ type: "integration", name, deleted: true }, `${name} was deleted.`);
}
