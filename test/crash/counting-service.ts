import { createServer } from "node:http";
import { setTimeout as pass } from "node:timers/promises";
import type { HandlerToolInput } from "@yagate/client";
import { createHandler, createMemoryIdempotencyStore, defineTool, ToolError } from "@yagate/handler";
import { toNodeListener } from "@yagate/handler/node";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";
import { TOOLS, type ToolName } from "./tools.ts";

/** Longer than anything in these tests takes, a freeze of the gateway included. */
const TIMEOUT_MS = 60_000;

/** A request as it arrived at the service, before its kit saw it. */
export interface Arrival {
  readonly toolCallId: string;
  readonly attempt: number;
  /** ms since the epoch. */
  readonly at: number;
  /** An earlier request of the same call had not been answered as failed by then. */
  readonly isRepeat: boolean;
}

/** One time that the kit ran a tool's function. */
export interface FunctionRun {
  readonly toolCallId: string;
  /** The function had returned a result for this call already. */
  readonly isRepeat: boolean;
}

export interface CountingService {
  readonly arrivals: readonly Arrival[];
  /** Every time that the kit ran a tool's function. */
  readonly runs: readonly FunctionRun[];
  /** How often a tool's function has returned a result, by tool call. */
  readonly results: ReadonlyMap<string, number>;
  /** Of one group: all calls of a turn are on their way together. */
  readonly tools: readonly HandlerToolInput[];
  /** The same without a group: declared writes are on their way one at a time. */
  readonly toolsInTurn: readonly HandlerToolInput[];
  /** Resolves when so many requests have arrived. */
  untilArrived(count: number): Promise<void>;
}

export interface CountingServiceOptions {
  readonly secret: string;
  /** How long a call takes, in ms. */
  readonly latencyMs: () => number;
  /** Called for each call; the call ends no earlier than the promise. */
  readonly untilReleased?: () => Promise<unknown>;
}

/** A company's service in this process, which outlives the gateway and counts what reaches it. */
export async function startCountingService(options: CountingServiceOptions): Promise<CountingService> {
  const { secret, latencyMs, untilReleased } = options;
  const arrivals: Arrival[] = [];
  const runs: FunctionRun[] = [];
  /** By tool call: requests that arrived less those that were answered as failed. */
  const unfailed = new Map<string, number>();
  const addUnfailed = (toolCallId: string, change: number) => {
    const before = unfailed.get(toolCallId) ?? 0;
    unfailed.set(toolCallId, before + change);
    return before;
  };
  const waiting = new Map<number, () => void>();
  const results = new Map<string, number>();
  const tools = TOOLS.map(({ name, failsFirst }) =>
    defineTool({
      name,
      description: `Acts: ${name}.`,
      parameters: { type: "object" },
      async execute(_parameters, { toolCallId, attempt }) {
        runs.push({ toolCallId, isRepeat: results.has(toolCallId) });
        await untilReleased?.();
        await pass(latencyMs());
        if (failsFirst && attempt === 1) {
          addUnfailed(toolCallId, -1);
          throw new ToolError("BUSY", "busy at first", { retryable: true });
        }
        results.set(toolCallId, (results.get(toolCallId) ?? 0) + 1);
        return { done: toolCallId };
      },
    }),
  );
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  // A call of the long form may come again after more calls than are remembered by default.
  const idempotency = createMemoryIdempotencyStore({ maxEntries: 1_000_000 });
  const handle = toNodeListener(createHandler({ secrets: [secret], tools, idempotency, logger: silent }));
  const server = createServer((request, response) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { toolCallId, attempt } = JSON.parse(Buffer.concat(chunks).toString());
      arrivals.push({ toolCallId, attempt, at, isRepeat: addUnfailed(toolCallId, 1) > 0 });
      waiting.get(arrivals.length)?.();
    });
    handle(request, response);
  });
  // Otherwise it closes idle connections while a gateway is frozen, and the first call on one of them gets lost.
  server.keepAliveTimeout = 60_000;
  const handler = `${await listenOnLoopback(server)}/`;
  const toolsInTurn = TOOLS.map(({ name, declared }) => ({
    ...declared,
    ...about(name),
    name,
    handler,
    timeout: TIMEOUT_MS,
  }));
  return {
    arrivals,
    runs,
    results,
    tools: toolsInTurn.map((tool) => ({ ...tool, parallelGroup: "together" })),
    toolsInTurn,
    untilArrived: (count) =>
      arrivals.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.set(count, resolve)),
  };
}

function about(name: ToolName) {
  return { description: `Acts: ${name}.`, parameters: { type: "object" } as const };
}
