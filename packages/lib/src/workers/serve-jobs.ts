import { parentPort } from "node:worker_threads";
import { YagateError } from "@yagate/protocol";
import type { JobMessage, JobReport } from "./job-messages.ts";

/**
 * Runs the jobs of a pool inside a worker. A `YagateError` that a job throws rejects the job; any other error is a
 * defect.
 */
export function serveJobs<Request, Answer>(handle: (request: Request) => Answer | Promise<Answer>): void {
  parentPort?.on("message", async ({ job, request }: JobMessage<Request>) => {
    const report = await reportOf(job, async () => handle(request));
    parentPort?.postMessage(report);
  });
}

async function reportOf<Answer>(job: number, work: () => Promise<Answer>): Promise<JobReport<Answer>> {
  try {
    return { job, answer: await work() };
  } catch (error) {
    if (YagateError.is(error)) return { job, refusal: { code: error.code, message: error.message } };
    // The engine throws no more specific error for a stack overflow.
    if (error instanceof RangeError) return { job, isTooDeep: true };
    return {
      job,
      defect: error instanceof Error ? `${error.name}: ${error.message}` : "a value was thrown that is not an error",
    };
  }
}
