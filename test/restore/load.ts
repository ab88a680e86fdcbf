import { setTimeout as pass } from "node:timers/promises";
import type { ReceivedEvent } from "@yagate/protocol";
import { onTestFinished } from "vitest";
import { type CountingService, startCountingService } from "../crash/counting-service.ts";
import { GatewayProcess } from "../crash/gateway-process.ts";
import type { ToolName } from "../crash/tools.ts";

/** Quick ones, each treated in its own way after a crash. */
const CALLED: readonly ToolName[] = ["read", "upsert", "pay", "undeclared"];
/** Executions that are on their way at the same time. */
const AT_ONCE = 8;
const LATENCY_MS = 25;

/** A gateway that never rests, and the service that its executions call. */
export interface Load {
  readonly gateway: GatewayProcess;
  readonly service: CountingService;
  /** Executions of which the gateway has said that they are completed, in that order. */
  readonly completed: readonly string[];
  /** Resolves when so many have completed. */
  untilCompleted(count: number): Promise<void>;
  /** Keeps one call from ending until `work` has ended, so that an execution is unfinished while it runs. */
  whileCallWaits<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Starts no more; what runs now goes on. */
  end(): void;
}

/** Starts a gateway and keeps it at work: two turns with one call of each of these tools, one execution after the other. */
export async function startLoad(environment: Readonly<Record<string, string>> = {}): Promise<Load> {
  const gateway = await GatewayProcess.prepare(environment);
  let nextCall: Promise<void> | undefined;
  const service = await startCountingService({
    secret: gateway.signingSecret,
    latencyMs: () => LATENCY_MS,
    untilReleased() {
      const released = nextCall;
      nextCall = undefined;
      return released ?? Promise.resolve();
    },
  });
  await gateway.start();
  const agent = await gateway.client.agents.create({ name: "Busy", model: "scripted/turns", tools: service.tools });
  const everyTool = { toolCalls: CALLED.map((name) => ({ name, parameters: {} })) };
  const script = { turns: [everyTool, everyTool, { text: "done" }] };
  const completed: string[] = [];
  let isOver = false;
  const given = new AbortController();
  const work = async () => {
    while (!isOver) {
      const { id, status } = await gateway.client.agents.execute(agent.id, {
        input: "go",
        script,
        signal: given.signal,
      });
      if (status === "completed") completed.push(id);
    }
  };
  // A gateway that is killed takes these with it.
  const workers = Array.from({ length: AT_ONCE }, () => work().catch(() => undefined));
  onTestFinished(async () => {
    isOver = true;
    // Otherwise they ask the gateway that is gone again and again.
    given.abort();
    await Promise.all(workers);
  });
  return {
    gateway,
    service,
    completed,
    async untilCompleted(count) {
      while (completed.length < count) await pass(5);
    },
    async whileCallWaits(work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      nextCall = promise;
      try {
        while (nextCall !== undefined) await pass(5);
        return await work();
      } finally {
        resolve();
      }
    },
    end() {
      isOver = true;
    },
  };
}

/** Every execution that a gateway lists, by the pages of its API. */
export async function idsOf({ client }: GatewayProcess): Promise<readonly string[]> {
  return (await client.executions.list().toArray()).map(({ id }) => id);
}

/** The calls that an execution's events ask for, with the number of the event. */
export function requestedCalls(events: readonly ReceivedEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "tool_call.requested" ? [event.toolCallId] : []));
}
