import type { Yagate } from "@yagate/client";
import { type ToolSource, toolSourceIdSchema, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { nearestNames } from "../text/nearest-names.ts";

/**
 * Finds a source by its id or name, with its tools.
 *
 * @throws YagateError `NOT_FOUND`.
 */
export async function findSource(client: Yagate, nameOrId: string): Promise<ToolSource> {
  if (toolSourceIdSchema.safeParse(nameOrId).success) return client.sources.get(nameOrId);
  const names: string[] = [];
  for await (const { id, name } of client.sources.list({ limit: 200 })) {
    if (name === nameOrId) return client.sources.get(id);
    names.push(name);
  }
  const hint =
    names.length === 0
      ? `add one: ${commandName()} sources add <url>`
      : `the most similar names are ${nearestNames(nameOrId, names).join(", ")}`;
  throw new YagateError("NOT_FOUND", `no tool source is named ${nameOrId} in this workspace`, { hint });
}
