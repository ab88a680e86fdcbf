import { type Capability, createCapabilitySchema, toVisibleLine, updateCapabilitySchema } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { parseDefinition } from "./parse-definition.ts";

const DEFINITION = '{"intent":"web.search","mode":"mcp_remote","target":{"source":"firecrawl","tool":"search"}}';

/** Prints the capabilities of the workspace, ordered by key. */
export async function listCapabilities(
  invocation: Invocation,
  { intent }: { readonly intent?: string },
): Promise<void> {
  const all = await (await invocation.client()).capabilities.list({ limit: 200 }).toArray();
  const listed = all.filter((capability) => intent === undefined || capability.intent === intent);
  invocation.output.result(listed, () => describeAll(listed));
}

/** Prints one capability. */
export async function showCapability(invocation: Invocation, key: string): Promise<void> {
  const capability = await (await invocation.client()).capabilities.get(key);
  invocation.output.result(capability, () => describe(capability));
}

/** Creates a capability. @throws YagateError `INVALID_REQUEST`. */
export async function createCapability(invocation: Invocation, key: string, text: string): Promise<void> {
  const given = { text, name: "<definition>", example: DEFINITION, named: { key } };
  const definition = await parseDefinition(createCapabilitySchema, given);
  const created = await (await invocation.client()).capabilities.create(definition);
  invocation.output.done(created, `${key} was created: ${summary(created)}`);
  invocation.output.warnings(created.warnings);
}

/** Changes a capability. @throws YagateError `INVALID_REQUEST`. */
export async function updateCapability(invocation: Invocation, key: string, text: string): Promise<void> {
  const change = await parseDefinition(updateCapabilitySchema, { text, name: "<change>", example: '{"priority":80}' });
  const updated = await (await invocation.client()).capabilities.update(key, change);
  invocation.output.done(updated, `${key} was updated: ${summary(updated)}`);
  invocation.output.warnings(updated.warnings);
}

/** Switches a capability on or off. */
export async function switchCapability(invocation: Invocation, key: string, enabled: boolean): Promise<void> {
  const updated = await (await invocation.client()).capabilities.update(key, { enabled });
  invocation.output.done(updated, `${key} is ${enabled ? "on" : "off"}.`);
}

/** Deletes a capability of the workspace. */
export async function deleteCapability(invocation: Invocation, key: string): Promise<void> {
  const client = await invocation.client();
  await invocation.confirm(toVisibleLine(`Delete the capability ${key}?`));
  await client.capabilities.delete(key);
  invocation.output.done({ type: "capability", key, deleted: true }, `${key} was deleted.`);
}

function summary({ intent, mode, priority, enabled }: Capability): string {
  return `serves ${intent}, ${mode}, priority ${priority}${enabled ? "" : ", off"}`;
}

function describeAll(capabilities: readonly Capability[]): string {
  if (capabilities.length === 0) return "There are no such capabilities.";
  const rows = capabilities.map(({ key, intent, mode, priority, costClass, enabled, origin, isOverride }) => [
    ...[key, intent, mode, String(priority), costClass, enabled ? "yes" : "no"],
    `${origin}${isOverride ? ", overridden" : ""}`,
  ]);
  return table([["KEY", "INTENT", "MODE", "PRIORITY", "COST", "ON", "ORIGIN"], ...rows]);
}

function describe(capability: Capability): string {
  const { key, intent, mode, target, args, result, priority, costClass, riskClass, origin, isOverride } = capability;
  const listOf = (words: readonly string[], none: string) => (words.length === 0 ? none : words.join(", "));
  return table([
    ["key", key],
    ["intent", intent],
    ["mode", mode],
    ["target", JSON.stringify(target)],
    ...(args === null ? [] : [["args", JSON.stringify(args)]]),
    ...(result === null ? [] : [["result", result]]),
    ["providers", listOf(capability.providers, "all")],
    ["models", listOf(capability.modelPatterns, "all")],
    ["priority", String(priority)],
    ["cost", costClass],
    ["risk", riskClass ?? "that of the target"],
    ["citations", capability.supportsCitations ? "yes" : "no"],
    ["required scopes", listOf(capability.requiredScopes, "none")],
    ["regions", listOf(capability.regions, "all")],
    ["data classes", listOf(capability.dataClasses, "default of the mode")],
    ["approval", capability.approval ?? "as the target"],
    ["on", capability.enabled ? "yes" : "no"],
    ["origin", `${origin}${isOverride ? ", overridden" : ""}`],
  ]);
}
