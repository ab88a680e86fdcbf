import { type Agent, createAgentSchema, toVisibleLine, updateAgentSchema } from "@yagate/protocol";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readJson } from "../read-text.ts";
import { table } from "../text/table.ts";
import { agentIdOf, findAgent } from "./find-agent.ts";
import { withToolIds } from "./named-tools.ts";

/** Prints the workspace's agents, newest first. */
export async function listAgents(invocation: Invocation): Promise<void> {
  const client = await invocation.client();
  const agents = await client.agents.list({ limit: 200 }).toArray();
  invocation.output.result(agents, () => describeAll(agents));
}

/** Prints one agent as JSON. */
export async function showAgent(invocation: Invocation, nameOrId: string): Promise<void> {
  invocation.output.document(await findAgent(await invocation.client(), nameOrId));
}

/** Prints the versions of an agent, newest first. */
export async function listVersions(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  const versions = await client.agents.versions(await agentIdOf(client, nameOrId), { limit: 200 }).toArray();
  const rows = versions.map(({ version, updatedAt, model, tools, name }) => [
    ...[String(version), updatedAt, model],
    ...[String(tools.length), name],
  ]);
  invocation.output.result(versions, () => table([["VERSION", "SAVED", "MODEL", "TOOLS", "NAME"], ...rows]));
}

/**
 * Creates an agent from a file.
 *
 * @throws YagateError `INVALID_REQUEST` if the file does not describe an agent.
 */
export async function createAgent(invocation: Invocation, file: string): Promise<void> {
  const client = await invocation.client();
  const body = await withToolIds(client, await readJson(file));
  say(invocation, await client.agents.create(checkedBody(createAgentSchema, body)), "was created");
}

/**
 * Updates an agent with the fields in a file.
 *
 * @throws YagateError `INVALID_REQUEST` if the file does not describe a change.
 */
export async function updateAgent(invocation: Invocation, nameOrId: string, file: string): Promise<void> {
  const client = await invocation.client();
  const body = await withToolIds(client, await readJson(file));
  const change = checkedBody(updateAgentSchema, body);
  const { id } = await findAgent(client, nameOrId);
  say(invocation, await client.agents.update(id, change), "was changed");
}

/** Archives an agent. */
export async function deleteAgent(invocation: Invocation, nameOrId: string): Promise<void> {
  const client = await invocation.client();
  const { id, name } = await findAgent(client, nameOrId);
  await invocation.confirm(toVisibleLine(`Archive the agent ${name} (${id})?`));
  await client.agents.delete(id);
  invocation.output.done({ type: "agent", id, name, archived: true }, `${name} was archived.`);
}

function describeAll(agents: readonly Agent[]): string {
  if (agents.length === 0) return "There are no agents in this workspace.";
  const rows = agents.map(({ id, version, name, model, tools }) => [
    ...[id, String(version), model],
    ...[String(tools.length), name],
  ]);
  return table([["ID", "VERSION", "MODEL", "TOOLS", "NAME"], ...rows]);
}

function say({ output }: Invocation, agent: Agent, what: string): void {
  const { id, name, version, warnings } = agent;
  output.done(agent, `${name} ${what}: ${id}, version ${version}.`);
  output.warnings(warnings);
}
