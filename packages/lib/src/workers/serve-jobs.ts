import { parentPort } from "node:worker_threads";
import { YagateError } from "@yagate/protocol";
import type { JobMessage, JobReport } from "./job-messages.ts";

/**
 * The worker's side of a pool: runs each job. A job is rejected with a `YagateError` that it throws; any other error is
 * a defect.
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
    // A stack overflow, for which the engine has no other error.
    if (error instanceof RangeError) return { job, isTooDeep: true };
    return {
      job,
      defect: error instanceof Error ? `${error.name}: ${error.message}` : "something other than an error was thrown",
    };
  }
}
