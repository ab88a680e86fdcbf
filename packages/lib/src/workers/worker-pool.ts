import { Worker } from "node:worker_threads";
import { YagateError } from "@yagate/protocol";
import { createFairJobQueue, type JobQueueLimits } from "./fair-job-queue.ts";
import { IsolationError } from "./isolation-error.ts";
import type { JobMessage, JobReport } from "./job-messages.ts";

export interface WorkerPoolOptions extends JobQueueLimits {
  /**
   * The worker's file, which calls `serveJobs`. It is next to the source file, or next to the bundle in the package.
   */
  readonly file: URL;
  /** Heap limit of a worker. If a job needs more, the worker ends and the job fails. */
  readonly memoryMegabytes: number;
  /** Stack limit of a worker. Default: 4. */
  readonly stackMegabytes?: number;
  /**
   * Number of jobs after which a worker is replaced. Default: 100. With 1, no job can see the data of an earlier job.
   */
  readonly maxJobsPerWorker?: number;
  /** How long an idle worker is kept, in ms. Default: 10,000. */
  readonly maxIdleMs?: number;
}

/** Limits and owner of one job. */
export interface JobOptions {
  /** Time limit in ms, from the start of the job. */
  readonly timeoutMs: number;
  /** Number of characters of data that the job keeps in memory while it waits. Default: 0. */
  readonly characters?: number;
  /** The group for fair queuing, such as a workspace. The jobs of one owner can't block those of all other owners. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/**
 * Worker threads with limits, for untrusted input. Each thread runs one job at a time. If a thread exceeds a limit, it
 * ends, and the next job gets a new thread. Idle threads end after a while and do not keep the process alive.
 */
export interface WorkerPool<Request, Answer> {
  /**
   * Runs a job.
   *
   * @throws IsolationError if a limit was exceeded; a `YagateError` that the job threw; `INTERNAL` for any other error.
   */
  run(request: Request, options: JobOptions): Promise<Answer>;
  /** Ends all threads; running jobs fail with `aborted`. */
  close(): Promise<void>;
}

interface Thread<Answer> {
  readonly worker: Worker;
  jobs: number;
  idle: NodeJS.Timeout | undefined;
  /** The job that is running. */
  current: RunningJob<Answer> | undefined;
}

interface RunningJob<Answer> {
  readonly job: number;
  readonly resolve: (report: JobReport<Answer>) => void;
  readonly reject: (error: Error) => void;
}

export function createWorkerPool<Request, Answer>(options: WorkerPoolOptions): WorkerPool<Request, Answer> {
  const { file, memoryMegabytes, stackMegabytes = 4, maxJobsPerWorker = 100, maxIdleMs = 10_000 } = options;
  const queue = createFairJobQueue(options);
  const idle: Thread<Answer>[] = [];
  const closing = new AbortController();
  let jobs = 0;

  function start(): Thread<Answer> {
    const worker = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, stackSizeMb: stackMegabytes },
    });
    const thread: Thread<Answer> = { worker, jobs: 0, idle: undefined, current: undefined };
    worker.on("message", (report: JobReport<Answer>) => {
      if (report.job === thread.current?.job) thread.current.resolve(report);
    });
    worker.on("error", (cause: unknown) => leave(thread, toError(cause)));
    worker.on("exit", () =>
      leave(thread, new YagateError("INTERNAL", "expected a result from the worker before it ended")),
    );
    worker.unref();
    return thread;
  }

  /** Removes a thread that has ended. If the thread was idle, this is not an error: the next job gets a new thread. */
  function leave(thread: Thread<Answer>, error: Error): void {
    const place = idle.indexOf(thread);
    if (place !== -1) idle.splice(place, 1);
    clearTimeout(thread.idle);
    thread.current?.reject(error);
  }

  function take(): Thread<Answer> {
    const thread = idle.pop() ?? start();
    clearTimeout(thread.idle);
    return thread;
  }

  async function end(thread: Thread<Answer>): Promise<void> {
    const place = idle.indexOf(thread);
    if (place !== -1) idle.splice(place, 1);
    clearTimeout(thread.idle);
    await thread.worker.terminate();
  }

  function keep(thread: Thread<Answer>): void {
    thread.idle = setTimeout(() => void end(thread), maxIdleMs).unref();
    idle.push(thread);
  }

  async function runNow(request: Request, { timeoutMs, signal }: JobOptions): Promise<Answer> {
    const thread = take();
    const { worker } = thread;
    const job = ++jobs;
    const over = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    const { promise, resolve, reject } = Promise.withResolvers<JobReport<Answer>>();
    const cancel = () => reject(new IsolationError("aborted", "the job was cancelled"));
    const timer = setTimeout(
      () => reject(new IsolationError("time", `the job took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    thread.current = { job, resolve, reject };
    if (over.aborted) cancel();
    else over.addEventListener("abort", cancel, { once: true });
    worker.ref();
    thread.jobs += 1;
    let isGood = false;
    try {
      const message: JobMessage<Request> = { job, request };
      worker.postMessage(message);
      const report = await promise;
      isGood = "answer" in report || "refusal" in report;
      return answerOf(report);
    } finally {
      clearTimeout(timer);
      over.removeEventListener("abort", cancel);
      thread.current = undefined;
      worker.unref();
      if (isGood && thread.jobs < maxJobsPerWorker && !closing.signal.aborted) keep(thread);
      else await end(thread);
    }
  }

  return {
    run: (request, job) => queue.run(job.characters ?? 0, () => runNow(request, job), job.signal, job.owner),
    async close() {
      closing.abort();
      await Promise.all(idle.map(end));
    },
  };
}

function answerOf<Answer>(report: JobReport<Answer>): Answer {
  if ("answer" in report) return report.answer;
  if ("refusal" in report) throw new YagateError(report.refusal.code, report.refusal.message);
  if ("isTooDeep" in report) throw new IsolationError("depth", "the input is nested too deeply");
  throw new YagateError("INTERNAL", "the worker failed", { cause: new Error(report.defect) });
}

function toError(cause: unknown): Error {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new IsolationError("memory", "the job exceeded the memory limit", { cause });
  }
  if (cause instanceof RangeError) return new IsolationError("depth", "the input is nested too deeply", { cause });
  return new YagateError("INTERNAL", "the worker failed", { cause });
}
