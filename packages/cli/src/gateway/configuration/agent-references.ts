import type { Yagate } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { builtinNameSchema, type FieldError, toolIdSchema } from "@yagate/protocol";
import { WrongFieldsError } from "../../frame/wrong-fields.ts";
import type { ConfigEntry } from "./config-schema.ts";
import type { KnownNames } from "./entry-faults.ts";

/**
 * Replaces the names of workspace tools in an agent with their ids.
 *
 * @throws WrongFieldsError with each name that no tool has.
 */
export async function withKnownTools(client: Yagate, agent: ConfigEntry): Promise<ConfigEntry> {
  const { tools } = agent;
  if (!Array.isArray(tools)) return agent;
  const faults: FieldError[] = [];
  const named = tools.map(async (entry: unknown, index) => {
    if (!isJsonObject(entry)) return entry;
    const { tool: name } = entry;
    if (typeof name !== "string" || toolIdSchema.safeParse(name).success) return entry;
    const { data } = await client.tools.list({ name, limit: 1 }).page();
    const [tool] = data;
    if (tool !== undefined) return { ...entry, tool: tool.id };
    const message = "expected the name or id of a workspace tool";
    faults.push({ path: `tools[${index}].tool`, code: "UNKNOWN_TOOL", message });
    return entry;
  });
  const known = { ...agent, tools: await Promise.all(named) };
  if (faults.length > 0) throw new WrongFieldsError(faults);
  return known;
}

/** Returns the names that the tools of an agent can refer to. */
export async function namesForAgent(client: Yagate, { tools }: ConfigEntry): Promise<KnownNames> {
  const [sources, workspaceTools] = await Promise.all([
    client.sources.list({ limit: 200 }).toArray(),
    client.tools.list({ limit: 200 }).toArray(),
  ]);
  const isNamed = ({ id, name }: { id: string; name: string }) =>
    Array.isArray(tools) &&
    tools.some((entry) => isJsonObject(entry) && [id, name].some((one) => one === entry["source"]));
  const named = await Promise.all(sources.filter(isNamed).map(({ id }) => client.sources.get(id)));
  return {
    source: sources.map(({ name }) => name),
    tool: workspaceTools.map(({ name }) => name),
    tools: named.flatMap((source) => (source.tools ?? []).map(({ name }) => name)),
    builtin: builtinNameSchema.options,
  };
}
