import { approvalSchema, pageSchema } from "@yagate/protocol";
import { expect } from "vitest";
import { calling, execute, makeAgent, startAsking } from "./agents.ts";
import { type Handler, startHandler, workTool } from "./handler.ts";
import type { World } from "./world.ts";

export const SIDE_EFFECTS = [
  "read_only",
  "idempotent_write",
  "non_idempotent_write",
  "destructive",
  undefined,
] as const;
export type SideEffect = (typeof SIDE_EFFECTS)[number];

/** How the only call of an execution went. */
export const HISTORIES = ["completed", "failed", "approved", "denied"] as const;
export type History = (typeof HISTORIES)[number];

/** Executions that have ended, each with one call of a handler. */
export interface EndedCalls {
  /** Returns the id of an execution, which is made once for each pair. */
  of(sideEffect: SideEffect, history: History): Promise<string>;
  /** All calls that have arrived at the handlers. */
  arrived(): readonly unknown[];
}

/** Starts the handlers of such calls. The world must allow keys to approve their own calls. */
export async function startEndedCalls(world: World): Promise<EndedCalls> {
  const [good, bad] = [await startHandler(), await startHandler({ status: 422, body: undefined })];
  const made = new Map<string, Promise<string>>();
  return {
    of(sideEffect, history) {
      const key = `${sideEffect} ${history}`;
      const id = made.get(key) ?? make(world, history === "failed" ? bad : good, { sideEffect, history });
      made.set(key, id);
      return id;
    },
    arrived: () => [...good.calls, ...bad.calls],
  };
}

async function make(
  world: World,
  { url }: Handler,
  { sideEffect, history }: { readonly sideEffect: SideEffect; readonly history: History },
): Promise<string> {
  const asks = history === "approved" || history === "denied";
  const policy = { approval: asks ? "always" : "never" };
  const { id: agent } = await makeAgent(world, { tools: [workTool(url, { sideEffect })], policy });
  if (!asks) return (await execute(world, agent, calling("work"))).id;
  const id = await startAsking(world, agent, calling("work"));
  expect(await decide(world, id, history === "approved" ? "approve" : "deny", world.key)).toBe(200);
  const execution = async () => (await world.call("getExecution", { params: { id } })).body;
  await expect.poll(execution, { timeout: 20_000, interval: 20 }).toMatchObject({ status: "completed" });
  return id;
}

/** Decides about the call that an execution waits for. @returns the status of the response. */
export async function decide(
  world: World,
  executionId: string,
  decision: "approve" | "deny",
  key: string,
): Promise<number> {
  const { body } = await world.call("listApprovals", { query: { status: "pending" } });
  const approval = pageSchema(approvalSchema)
    .parse(body)
    .data.find((candidate) => candidate.executionId === executionId);
  return (await world.call(decision, { params: { id: approval?.id ?? "" }, body: {}, key })).status;
}
