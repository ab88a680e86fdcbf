import { threadId } from "node:worker_threads";
import { YagateError } from "@yagate/protocol";
import { serveJobs } from "../../src/workers/serve-jobs.ts";

/** What a job does; `answer` gives the id of its thread, and so does `failLater`, which ends it soon after. */
export interface Behaviour {
  readonly do: "answer" | "loop" | "fill" | "recurse" | "refuse" | "throw" | "exit" | "failLater";
}

serveJobs<Behaviour, number>(({ do: behaviour }) => {
  switch (behaviour) {
    case "answer":
      return threadId;
    case "loop":
      for (;;);
    case "fill": {
      const kept: unknown[] = [];
      for (;;) kept.push(new Array(10_000).fill(kept.length));
    }
    case "recurse":
      return depthOf(0);
    case "refuse":
      throw new YagateError("NOT_FOUND", "there is no such thing");
    case "throw":
      throw new TypeError("a defect");
    case "failLater":
      setTimeout(() => {
        throw new TypeError("a defect that shows later");
      }, 20);
      return threadId;
    case "exit":
      return process.exit(0);
  }
});

function depthOf(depth: number): number {
  return depthOf(depth + 1) + 1;
}
