import { toVisibleLine } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";

/** Deletes a secret of the workspace. */
export async function deleteSecret(invocation: Invocation, name: string): Promise<void> {
  const client = await invocation.client();
  await invocation.confirm(toVisibleLine(`Delete the secret ${name}?`));
  await client.secrets.delete(name);
  invocation.output.done({ type: "secret", name, deleted: true }, `${name} was deleted.`);
}
