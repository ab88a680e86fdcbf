import { isJsonObject } from "@yagate/lib/json/json-object";
import type { Agent, CreateAgent } from "@yagate/protocol";

/** What of a saved agent is its definition, and can be saved again. */
const FIELDS = [
  "name",
  "description",
  "exposed",
  "model",
  "systemPrompt",
  "tools",
  "limits",
  "integrations",
  "credentials",
  "webhookUrls",
  "policy",
  "toolSearch",
  "routing",
] as const satisfies readonly (keyof Agent)[];

export type Definition = Readonly<Record<string, unknown>>;

/** Returns the definition of a saved agent. */
export function definitionOf(agent: Agent): Definition {
  return Object.fromEntries(FIELDS.flatMap((name) => (agent[name] === undefined ? [] : [[name, agent[name]]])));
}

export const EMPTY_DEFINITION: Definition = {
  name: "",
  model: "",
  systemPrompt: "",
  tools: [],
} satisfies CreateAgent;

/** Returns the code that creates the agent with the client. */
export function toCode(definition: Definition): string {
  return [
    'import { Yagate } from "@yagate/client";',
    "",
    "const yagate = new Yagate();",
    `const agent = await yagate.agents.create(${JSON.stringify(definition, null, 2)});`,
    "console.log(agent.id);",
    "",
  ].join("\n");
}

/** Returns a name of an entry of an agent's tools for people. */
export function toolTitle(tool: unknown): { readonly kind: string; readonly name: string } {
  const record = isJsonObject(tool) ? tool : {};
  const text = (name: string) => (typeof record[name] === "string" ? record[name] : undefined);
  const rest = record["rest"];
  if (text("builtin") !== undefined) return { kind: "built in", name: text("builtin") ?? "" };
  if (text("tool") !== undefined) return { kind: "workspace tool", name: text("tool") ?? "" };
  if (text("source") !== undefined) return { kind: "tool source", name: text("source") ?? "" };
  if (text("intent") !== undefined) return { kind: "intent", name: text("intent") ?? "" };
  if (isJsonObject(rest)) return { kind: "HTTP", name: String(rest["name"] ?? "") };
  if (text("handler") !== undefined) return { kind: "handler", name: text("name") ?? "" };
  return { kind: "composed", name: text("name") ?? "" };
}
