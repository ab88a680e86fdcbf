import type { Yagate } from "@yagate/client";
import { type Toolkit, toolkitIdSchema, YagateError } from "@yagate/protocol";

/**
 * Finds a toolkit by its id or its unique name.
 *
 * @throws YagateError `NOT_FOUND` if there is no such toolkit; `CONFLICT` if several have the name.
 */
export async function findToolkit(client: Yagate, nameOrId: string): Promise<Toolkit> {
  if (toolkitIdSchema.safeParse(nameOrId).success) return client.toolkits.get(nameOrId);
  const found: Toolkit[] = [];
  for await (const toolkit of client.toolkits.list({ limit: 200 })) if (toolkit.name === nameOrId) found.push(toolkit);
  const [toolkit, other] = found;
  if (toolkit === undefined) throw new YagateError("NOT_FOUND", `no toolkit is named ${nameOrId} in this workspace`);
  if (other === undefined) return toolkit;
  const hint = `use one of the ids: ${found.map(({ id }) => id).join(", ")}`;
  throw new YagateError("CONFLICT", `${found.length} toolkits are named ${nameOrId}`, { hint });
}
