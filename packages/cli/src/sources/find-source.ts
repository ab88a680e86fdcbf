import type { Yagate } from "@yagate/client";
import { type ToolSource, toolSourceIdSchema, YagateError } from "@yagate/protocol";

/**
 * Finds a source by its id or name, with its tools.
 *
 * @throws YagateError `NOT_FOUND`.
 */
export async function findSource(client: Yagate, nameOrId: string): Promise<ToolSource> {
  if (toolSourceIdSchema.safeParse(nameOrId).success) return client.sources.get(nameOrId);
  for await (const { id, name } of client.sources.list({ limit: 200 })) {
    if (name === nameOrId) return client.sources.get(id);
  }
  throw new YagateError("NOT_FOUND", `no tool source is named ${nameOrId} in this workspace`);
}
