import type { ExecutionResult, StreamEvent } from "@yagate/client";
import { executionSchema } from "@yagate/protocol";
import type { MadeCall } from "../../src/calls/made-call.ts";
import type { CaseRun } from "../../src/run/case-run.ts";

/** A run as a gateway would have answered it, with parts of its own. */
export interface RunParts {
  readonly text?: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly status?: ExecutionResult["status"];
  readonly cost?: ExecutionResult["cost"];
  readonly tookMs?: number;
  readonly calls?: readonly (Partial<MadeCall> & { readonly name: string })[];
  readonly events?: readonly StreamEvent[];
}

/** A completed run that cost 0.01 US dollars, used 30 tokens and took 1 s, unless the parts say otherwise. */
export function runOf({ text = "done", output, status = "completed", cost, tookMs, calls, events }: RunParts): CaseRun {
  const execution = executionSchema.parse({
    id: "exec_01jd3v0c8me9kxt3f6r2p5q7sa",
    agentId: "agt_01jd3v0c8me9kxt3f6r2p5q7sa",
    ...{ agentVersion: 1, status, stopReason: "final", input: "x", error: null, metadata: {} },
    output: { text, ...output },
    usage: { inputTokens: 20, outputTokens: 10, toolCalls: calls?.length ?? 0 },
    cost: cost ?? { usd: 0.01, credits: 0 },
    createdAt: "2026-11-22T09:00:00.000Z",
    startedAt: "2026-11-22T09:00:00.000Z",
    finishedAt: new Date(Date.parse("2026-11-22T09:00:00.000Z") + (tookMs ?? 1_000)).toISOString(),
  });
  return {
    execution: { ...execution, toolCalls: [], fallbackErrors: [] },
    events: events ?? [],
    calls: (calls ?? []).map((call) => ({ parameters: {}, turn: 1, status: "completed", attempts: 1, ...call })),
    schemas: new Map(),
  };
}
