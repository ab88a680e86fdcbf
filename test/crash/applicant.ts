import { randomUUID } from "node:crypto";
import { setTimeout as pass } from "node:timers/promises";
import { type Execution, type ExecutionEvent, YagateError } from "@yagate/client";
import type { Script } from "@yagate/protocol";
import type { GatewayProcess } from "./gateway-process.ts";

/** Starts an execution and repeats the request, always with the same key, until the gateway has acknowledged it. */
export async function startUntilAccepted(gateway: GatewayProcess, agentId: string, script: Script): Promise<Execution> {
  const request = { input: "go", script, idempotencyKey: randomUUID() };
  return untilAnswered(gateway, () => gateway.client.agents.start(agentId, request));
}

/**
 * Follows an execution to its end, however often the connection breaks or the gateway can't reach its store, and gives
 * every numbered event once.
 */
export async function followToEnd(gateway: GatewayProcess, executionId: string): Promise<readonly ExecutionEvent[]> {
  const events: ExecutionEvent[] = [];
  await untilAnswered(gateway, async () => {
    const stream = gateway.client.executions.events(executionId, { lastEventId: events.length });
    for await (const event of stream) if (event.type !== "text.delta") events.push(event);
  });
  return events;
}

/** How long to wait after a 503. */
const PAUSE_MS = 100;

async function untilAnswered<Result>(gateway: GatewayProcess, ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    await gateway.listening;
    try {
      return await ask();
    } catch (error) {
      const code = YagateError.is(error) ? error.code : undefined;
      if (code === "UNAVAILABLE") await pass(PAUSE_MS);
      else if (code !== "CONNECTION_FAILED") throw error;
    }
  }
}
