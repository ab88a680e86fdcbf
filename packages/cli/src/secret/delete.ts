import { Yagate } from "@yagate/client";

/** Deletes a secret of the workspace. */
export async function deleteSecret(name: string): Promise<void> {
  await new Yagate().secrets.delete(name);
  console.log(`${name} was deleted.`);
}
