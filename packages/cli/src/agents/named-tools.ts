import type { Yagate } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { type JsonObject, type JsonValue, toolIdSchema } from "@yagate/protocol";
import { findTool } from "../tools/find-tool.ts";

/** Replaces the names of workspace tools in an agent's definition with their ids. */
export async function withToolIds(client: Yagate, agent: JsonObject): Promise<JsonObject> {
  const { tools } = agent;
  if (!Array.isArray(tools)) return agent;
  return { ...agent, tools: await Promise.all(tools.map((tool) => withToolId(client, tool))) };
}

async function withToolId(client: Yagate, entry: JsonValue): Promise<JsonValue> {
  if (!isJsonObject(entry)) return entry;
  const { tool } = entry;
  if (typeof tool !== "string" || toolIdSchema.safeParse(tool).success) return entry;
  return { ...entry, tool: (await findTool(client, tool)).id };
}
