import type { Yagate } from "@yagate/client";
import { toolIdSchema, type WorkspaceTool, YagateError } from "@yagate/protocol";

/**
 * Finds a tool of the workspace by its id or name.
 *
 * @throws YagateError `NOT_FOUND`.
 */
export async function findTool(client: Yagate, nameOrId: string): Promise<WorkspaceTool> {
  if (toolIdSchema.safeParse(nameOrId).success) return client.tools.get(nameOrId);
  const { data } = await client.tools.list({ name: nameOrId, limit: 1 }).page();
  const [tool] = data;
  if (tool !== undefined) return tool;
  throw new YagateError("NOT_FOUND", `no tool is named ${nameOrId} in this workspace`);
}
