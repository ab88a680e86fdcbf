import type { Yagate } from "@yagate/client";
import { type Agent, agentIdSchema, YagateError } from "@yagate/protocol";

/**
 * Finds an agent by its id or its unique name.
 *
 * @throws YagateError `NOT_FOUND` if there is no such agent; `CONFLICT` if several agents have the name.
 */
export async function findAgent(client: Yagate, nameOrId: string): Promise<Agent> {
  if (agentIdSchema.safeParse(nameOrId).success) return client.agents.get(nameOrId);
  const found: Agent[] = [];
  for await (const agent of client.agents.list({ limit: 200 })) if (agent.name === nameOrId) found.push(agent);
  const [agent, other] = found;
  if (agent === undefined) throw new YagateError("NOT_FOUND", `no agent is named ${nameOrId} in this workspace`);
  if (other === undefined) return agent;
  const hint = `use one of the ids: ${found.map(({ id }) => id).join(", ")}`;
  throw new YagateError("CONFLICT", `${found.length} agents are named ${nameOrId}`, { hint });
}

/**
 * Returns an agent's id. An id is returned without a request, because a key without the scope `agents` can only use
 * ids.
 *
 * @throws YagateError `NOT_FOUND`, `CONFLICT`.
 */
export async function agentIdOf(client: Yagate, nameOrId: string): Promise<string> {
  return agentIdSchema.safeParse(nameOrId).success ? nameOrId : (await findAgent(client, nameOrId)).id;
}
