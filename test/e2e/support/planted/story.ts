import { expect } from "vitest";
import type { Answer, PlantedWorld } from "./planted-world.ts";

/** A part of what a gateway does, in which secrets are about. */
export type Story = (world: PlantedWorld) => Promise<void>;

/** The id of what was made. */
export function made({ status, json }: Answer): string {
  expect(status).toBe(201);
  return String(json["id"]);
}

export async function agentWith(world: PlantedWorld, definition: object): Promise<string> {
  return made(await world.ask("POST", "/v1/agents", { body: { name: "Order desk", ...definition } }));
}

/** Executes to the end, and reads everything that there is to read of it. */
export async function play(world: PlantedWorld, agentId: string, request: object): Promise<Answer> {
  const answer = await world.ask("POST", `/v1/agents/${agentId}/executions`, {
    body: { input: "Where is my order?", ...request },
    headers: { prefer: "wait=30" },
  });
  const id = made(answer);
  world.known.push(id);
  for (const part of ["", "/events", "/tool-calls", "/receipt"]) await world.ask("GET", `/v1/executions/${id}${part}`);
  const { json } = await world.ask("GET", `/v1/executions/${id}/tool-calls`);
  for (const call of Array.isArray(json["data"]) ? json["data"] : []) {
    await world.ask("GET", `/v1/tool-calls/${call.id}`);
    for (const attempt of call.attempts) await world.ask("GET", `/v1/attempts/${attempt.id}`);
  }
  return answer;
}
