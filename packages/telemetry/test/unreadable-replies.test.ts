import type { ExecutionEvent } from "@yagate/protocol";
import { expect, it } from "vitest";
import { createExecutionLog } from "../src/execution-log.ts";
import { createLogger } from "../src/logger.ts";

it("the log warns of a model's reply that could not be read, and says why", () => {
  const lines: unknown[] = [];
  const logger = createLogger("info", { write: (text) => lines.push(JSON.parse(text)) });
  const executionId = "exec_01k9e5t8b8fxhv3c4n5p6q7r8s";
  const place = { seq: 2, at: "2026-11-22T08:00:00.000Z", executionId, turn: 1, attempt: 3, retryAt: null };
  const failed = (error: { code: string; message: string; developerMessage?: string }): ExecutionEvent => ({
    type: "model.failed",
    ...place,
    error,
  });
  const error = { code: "MODEL_ERROR", message: "house sent an invalid response" };
  const entries = [failed({ ...error, developerMessage: "choices: expected array" }), failed(error)].map((event) => ({
    event,
  }));
  const usage = { toolCalls: 0 };
  const summary = { status: "running", stopReason: null, error: null, usage, startedAt: 1, finishedAt: null } as const;
  createExecutionLog(logger).onAppended({ executionId, entries, summary });
  expect(lines).toMatchObject([
    { level: 40, executionId, turn: 1, attempt: 3, code: "MODEL_ERROR", developerMessage: "choices: expected array" },
  ]);
});
