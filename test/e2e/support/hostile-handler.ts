import type { HandlerToolInput } from "@yagate/client";
import type { AttemptDetail, ToolCallRecord } from "@yagate/protocol";
import { expect } from "vitest";
import type { MeasuredGateway } from "./measured-gateway.ts";
import { type RawHandler, type Serve, startRawHandler } from "./raw-handler.ts";
import { calls, toolAt } from "./services.ts";

/** Codes of calls whose answer was not read to its end. */
const UNREAD: ReadonlySet<string> = new Set(["NETWORK_ERROR", "TIMEOUT", "RESPONSE_TOO_LARGE"]);

/** What a hostile answer must come to. */
export interface Verdict {
  /** The code that the model reads; undefined: the answer is taken. */
  readonly code?: string;
  readonly outcome?: "none" | "unknown";
  /** What the record says of the status; undefined: none was read. */
  readonly httpStatus?: number;
  /** Whether the record has the answer itself; default: what the code says of its having been read to its end. */
  readonly isRecorded?: boolean;
  readonly result?: unknown;
  /** Whether the next call may come over the same connection. */
  readonly isReused?: boolean;
  /** Longest that the call may take, in ms; default 2 000, where the tool's own timeout is 10 000. */
  readonly withinMs?: number;
  /** Most that the gateway's process may grow, in MiB; default 40. */
  readonly grownMiB?: number;
  readonly tool?: Partial<HandlerToolInput>;
}

export interface Played {
  readonly hostile: ToolCallRecord;
  readonly attempt: AttemptDetail;
  readonly handler: RawHandler;
}

/**
 * Lets an agent call a handler that answers first as `serve` does and then honestly, and holds what comes of it to the
 * verdict: what the model reads, what is recorded, how long it takes, how much memory, and that the next call is well.
 */
export async function expectVerdict(gateway: MeasuredGateway, serve: Serve, verdict: Verdict): Promise<Played> {
  const handler = await startRawHandler(serve);
  try {
    return await play(gateway, handler, verdict);
  } finally {
    handler.close();
  }
}

async function play({ client, growthWhile }: MeasuredGateway, handler: RawHandler, verdict: Verdict): Promise<Played> {
  const { code, outcome, httpStatus, withinMs = 2_000, grownMiB = 40 } = verdict;
  const tools = [toolAt(handler.url, { sideEffect: "non_idempotent_write", ...verdict.tool })];
  const agent = await client.agents.create({ name: "Order desk", model: "scripted/turns", tools });
  const script = { turns: [calls("lookup_order"), calls("lookup_order"), { text: "done" }] };
  const measured = await growthWhile(() => client.agents.execute(agent.id, { input: "go", script }));
  const { status, output, toolCalls } = measured.result;
  expect({ status, text: output?.text }).toEqual({ status: "completed", text: "done" });
  expect(measured.grownMiB).toBeLessThan(grownMiB);

  const [hostile, next] = toolCalls;
  if (hostile === undefined || next === undefined) throw new Error("expected two calls");
  const attempt = await client.attempts.get(hostile.attempts[0]?.id ?? "");
  if (code === undefined) {
    expect(hostile).toMatchObject({ status: "completed", result: verdict.result ?? `answer to ${hostile.id}` });
    expect(attempt).not.toHaveProperty("errorCode");
  } else {
    expect(hostile).toMatchObject({ status: "failed", error: { code, outcome, source: "gateway", attempts: 1 } });
    expect(attempt).toMatchObject({ errorCode: code, outcome });
  }
  expect(hostile.attempts).toHaveLength(1);
  expect(attempt.httpStatus).toBe(httpStatus);
  const { isRecorded = code === undefined || !UNREAD.has(code) } = verdict;
  expect(attempt.response !== null).toBe(isRecorded);
  expect(Buffer.byteLength(attempt.response?.body ?? "")).toBeLessThanOrEqual(65_536);
  expect(attempt.durationMs).toBeLessThan(withinMs);

  expect(next).toMatchObject({ status: "completed", result: `answer to ${next.id}` });
  const [first, second] = handler.requests;
  expect(handler.requests).toHaveLength(2);
  expect(second?.connection === first?.connection).toBe(verdict.isReused ?? false);
  return { hostile, attempt, handler };
}
