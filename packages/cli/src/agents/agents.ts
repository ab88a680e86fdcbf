import { type Agent, createAgentSchema, toVisibleLine, toVisibleText, updateAgentSchema } from "@yagate/protocol";
import { checkedBody } from "../checked-body.ts";
import { gatewayClient } from "../gateway-client.ts";
import { printWarnings } from "../print-warnings.ts";
import { readJson } from "../read-text.ts";
import { table } from "../table.ts";
import { findAgent } from "./find-agent.ts";
import { withToolIds } from "./named-tools.ts";

/** Prints the workspace's agents, newest first. */
export async function listAgents({ json = false }: { readonly json?: boolean }): Promise<void> {
  const agents = await gatewayClient().agents.list({ limit: 200 }).toArray();
  console.log(json ? toVisibleText(JSON.stringify(agents, null, 2)) : describeAll(agents));
}

/** Prints one agent as JSON. */
export async function showAgent(nameOrId: string): Promise<void> {
  console.log(toVisibleText(JSON.stringify(await findAgent(gatewayClient(), nameOrId), null, 2)));
}

/** Makes an agent of what a file says. @throws YagateError `INVALID_REQUEST` for what can't be one. */
export async function createAgent(file: string): Promise<void> {
  const client = gatewayClient();
  const body = await withToolIds(client, await readJson(file));
  say(await client.agents.create(checkedBody(createAgentSchema, body)), "was created");
}

/** Changes what a file gives of an agent. @throws YagateError `INVALID_REQUEST`. */
export async function updateAgent(nameOrId: string, file: string): Promise<void> {
  const client = gatewayClient();
  const body = await withToolIds(client, await readJson(file));
  const change = checkedBody(updateAgentSchema, body);
  const { id } = await findAgent(client, nameOrId);
  say(await client.agents.update(id, change), "was changed");
}

/** Archives an agent. */
export async function deleteAgent(nameOrId: string): Promise<void> {
  const client = gatewayClient();
  const { id, name } = await findAgent(client, nameOrId);
  await client.agents.delete(id);
  console.log(toVisibleLine(`${name} was archived.`));
}

function describeAll(agents: readonly Agent[]): string {
  if (agents.length === 0) return "There are no agents in this workspace.";
  const rows = agents.map(({ id, version, name, model, tools }) => [
    ...[id, String(version), model],
    ...[String(tools.length), name],
  ]);
  return table([["ID", "VERSION", "MODEL", "TOOLS", "NAME"], ...rows]);
}

function say({ id, name, version, warnings }: Agent, what: string): void {
  console.log(toVisibleLine(`${name} ${what}: ${id}, version ${version}.`));
  printWarnings(warnings);
}
