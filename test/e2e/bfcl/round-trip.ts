import { toolCallSchema, verifySignature } from "@yagate/protocol";
import { expect } from "vitest";
import { startRawService } from "../support/services.ts";
import { openWorld } from "../support/world.ts";
import type { FunctionCallCase } from "./cases.ts";

/**
 * Lets the model of an agent make each case's calls in one turn, and expects that the handler gets the same names and
 * arguments, signed, and the record holds them in the model's order with their results.
 */
export async function expectRoundTrips(cases: readonly FunctionCallCase[]): Promise<void> {
  const world = await openWorld();
  const { url, calls: arrived } = await startRawService((response, { body }) => {
    response.json({ result: toolCallSchema.parse(JSON.parse(body.toString())).parameters });
  });
  for (const { id, tools, calls } of cases) {
    const agent = await world.createAgent(tools.map((tool) => ({ ...tool, handler: url, sideEffect: "read_only" })));
    const before = arrived.length;
    const script = { turns: [{ toolCalls: calls }, { text: "done" }] };
    const limits = { maxToolCallsPerTurn: calls.length };
    const { status, toolCalls } = await world.client.agents.execute(agent.id, { input: id, script, limits });
    expect({ id, status }).toEqual({ id, status: "completed" });
    const recorded = toolCalls.map(({ name, parameters, result }) => ({ name, parameters, result }));
    expect(recorded).toEqual(calls.map(({ name, parameters }) => ({ name, parameters, result: parameters })));
    const bodies = new Map<string, unknown>();
    for (const { headers, body } of arrived.slice(before)) {
      await verifySignature(headers["x-ya-signature"], body, [world.secret]);
      const { toolCallId, name, parameters } = toolCallSchema.parse(JSON.parse(body.toString()));
      bodies.set(toolCallId, { name, parameters });
    }
    expect(bodies.size).toBe(calls.length);
    expect(toolCalls.map((call) => bodies.get(call.id))).toEqual(calls);
  }
}
