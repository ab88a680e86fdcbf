import {
  type CallHandler,
  createHandler,
  createMemoryIdempotencyStore,
  defineTool,
  type ToolCallback,
  ToolError,
} from "@yagate/handler";
import { z } from "zod";

/** A secret of the published vectors. */
export const SUITE_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ0b1c2d3e4U=";

export const SUITE_MAX_BODY_BYTES = 2_000;

const POLL_MS = 5;

/** What one run of the tool `work` does. */
const stepSchema = z.enum(["answer", "fail for now", "throw", "never answer", "wait for abort", "defer"]);

export type WorkStep = z.infer<typeof stepSchema>;

/** What a handler remembers of one task: the runs of `work` that named it. */
interface Task {
  runs: number;
  isOpen: boolean;
  abortedWith: string | null;
  callback: ToolCallback | null;
}

/**
 * Makes the handler that every adapter is tested with, in whatever runtime: a test reaches it by signed calls alone, so
 * the tools do what their parameters say and tell what they have seen.
 */
export function createSuiteHandler(): CallHandler {
  const tasks = new Map<string, Task>();
  const claims = new Map<string, number>();
  const errors: string[] = [];
  const taskOf = (name: string): Task => {
    const task = tasks.get(name) ?? { runs: 0, isOpen: false, abortedWith: null, callback: null };
    tasks.set(name, task);
    return task;
  };

  const lookupOrder = defineTool({
    name: "lookup_order",
    description: "Looks up an order.",
    parameters: z.strictObject({ orderId: z.string().regex(/^ORD-/), limit: z.int().default(10) }),
    execute: ({ orderId, limit }) => ({ orderId, limit }),
  });
  const echo = defineTool({
    name: "echo",
    description: "Returns its parameters.",
    parameters: { type: "object" },
    execute: (parameters) => ({ ...parameters }),
  });
  const work = defineTool({
    name: "work",
    description: "Does at each run of a task the next of the given steps, and returns the number of the run.",
    parameters: z.object({ task: z.string(), steps: z.array(stepSchema), isGated: z.boolean().default(false) }),
    async execute({ task: name, steps, isGated }, { signal, defer }) {
      const task = taskOf(name);
      task.runs += 1;
      const run = task.runs;
      // Asked for again and again: on Workers a promise that another request resolves is a case of its own.
      while (isGated && !task.isOpen) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const step = steps[run - 1];
      if (step === "fail for now") throw new ToolError("BUSY", "come again", { retryable: true });
      if (step === "throw") throw new Error("password=hunter2");
      if (step === "never answer") await new Promise(() => {});
      if (step === "defer") task.callback = defer();
      if (step === "wait for abort") task.abortedWith = await abortOf(signal);
      return run;
    },
  });
  const open = defineTool({
    name: "open",
    description: "Lets the gated runs of a task go on.",
    parameters: z.object({ task: z.string() }),
    execute({ task }) {
      taskOf(task).isOpen = true;
      return null;
    },
  });
  const report = defineTool({
    name: "report",
    description: "What was seen of a task, of a call, and of errors.",
    parameters: z.object({ task: z.string(), toolCallId: z.string() }),
    execute: ({ task, toolCallId }) => ({ ...taskOf(task), claims: claims.get(toolCallId) ?? 0, errors }),
  });

  const store = createMemoryIdempotencyStore();
  return createHandler({
    secrets: SUITE_SECRET,
    tools: [lookupOrder, echo, work, open, report],
    maxBodyBytes: SUITE_MAX_BODY_BYTES,
    logger: {
      debug() {},
      info() {},
      warn() {},
      error: (message, fields) => errors.push(`${message} ${fields?.["tool"]}`),
    },
    idempotency: {
      claim(request) {
        claims.set(request.key, (claims.get(request.key) ?? 0) + 1);
        return store.claim(request);
      },
      complete: (key, holder, outcome) => store.complete(key, holder, outcome),
      release: (key, holder, outcome) => store.release(key, holder, outcome),
      wait: (key, signal) => store.wait(key, signal),
    },
  });
}

function abortOf(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const read = () => resolve(signal.reason instanceof Error ? signal.reason.name : String(signal.reason));
    if (signal.aborted) read();
    else signal.addEventListener("abort", read);
  });
}
