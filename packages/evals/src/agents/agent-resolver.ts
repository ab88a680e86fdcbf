import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Agent, AgentDefinition, Yagate } from "@yagate/client";
import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import { agentIdSchema, createAgentSchema, toFieldErrors, YagateError } from "@yagate/protocol";
import { readYaml } from "../cases/yaml-source.ts";

/** The agents of a run of cases. Each agent is loaded or created once. */
export interface AgentResolver {
  /**
   * Returns the agent of a case.
   *
   * @param reference - an id, a name, or the path of a file that ends with `.json`, `.yaml` or `.yml`.
   * @param file - the file of the case, to which paths are relative.
   * @throws YagateError `INVALID_REQUEST`, `NOT_FOUND`, `CONFLICT`.
   */
  resolve(reference: string, file: string | undefined): Promise<Agent>;
  /** Archives the agents that were created from files. */
  close(): Promise<void>;
}

/** Creates a resolver that creates the agents of files in the client's workspace. */
export function createAgentResolver(client: Yagate): AgentResolver {
  const known = new Map<string, Promise<Agent>>();
  const created: string[] = [];
  let listed: Promise<readonly Agent[]> | undefined;
  const create = async (path: string) => {
    const agent = await client.agents.create(await readDefinition(path));
    created.push(agent.id);
    return agent;
  };
  const find = async (reference: string, path: string | undefined) => {
    if (path !== undefined) return create(path);
    if (agentIdSchema.safeParse(reference).success) return client.agents.get(reference);
    listed ??= client.agents.list({ limit: 200 }).toArray();
    return namedAgent(await listed, reference);
  };
  return {
    resolve(reference, file) {
      const path = isAgentFile(reference) ? resolve(dirname(file ?? "."), reference) : undefined;
      const key = path ?? reference;
      const before = known.get(key);
      if (before !== undefined) return before;
      const found = find(reference, path);
      known.set(key, found);
      return found;
    },
    async close() {
      await Promise.allSettled(created.map((id) => client.agents.delete(id)));
    },
  };
}

function isAgentFile(reference: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(reference);
}

function namedAgent(agents: readonly Agent[], name: string): Agent {
  const [agent, other] = agents.filter((one) => one.name === name);
  if (agent === undefined) {
    const meant = meantInstead(
      name,
      agents.map((one) => one.name),
    );
    throw new YagateError("NOT_FOUND", `no agent is named ${name} in this workspace${meant}`);
  }
  if (other === undefined) return agent;
  throw new YagateError("CONFLICT", `several agents are named ${name}`, { hint: "use the id of one of them" });
}

async function readDefinition(path: string): Promise<AgentDefinition> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new YagateError("INVALID_REQUEST", `expected a readable file with the agent: ${path}`, { cause });
  });
  const [source] = readYaml(text, path);
  const parsed = createAgentSchema.safeParse(source?.value);
  if (parsed.success) return parsed.data;
  const [problem = { path: "", message: "expected the definition of an agent" }] = toFieldErrors(parsed.error);
  throw new YagateError("INVALID_REQUEST", `${path}: ${problem.path}: ${problem.message}`);
}

/** Returns the JSON Schemas of the parameters of an agent's tools, by name. */
export function toolSchemas({ tools }: Agent): ReadonlyMap<string, JsonObject> {
  const schemas = new Map<string, JsonObject>();
  for (const tool of tools) {
    const { name, parameters }: Readonly<Record<string, unknown>> = { ...tool };
    if (typeof name === "string" && isJsonObject(parameters)) schemas.set(name, parameters);
  }
  return schemas;
}
