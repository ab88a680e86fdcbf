import { afterEach, describe, expect, it } from "vitest";
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from "../../src/workers/worker-pool.ts";
import type { Behaviour } from "./behaving-worker.ts";

const FILE = new URL("./behaving-worker.ts", import.meta.url);
const LIMITS = { memoryMegabytes: 32, maxWaiting: 10, maxWaitingCharacters: 1_000, maxWaitMs: 20_000 };
const IN_TIME = { timeoutMs: 20_000 };

const pools: WorkerPool<Behaviour, number>[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function start(options: Partial<WorkerPoolOptions> = {}): WorkerPool<Behaviour, number> {
  const pool = createWorkerPool<Behaviour, number>({ ...LIMITS, file: FILE, ...options });
  pools.push(pool);
  return pool;
}

describe("a pool", () => {
  it("does jobs in one thread, until that has done as many as it may", async () => {
    const pool = start({ maxJobsPerWorker: 2 });
    const threads: number[] = [];
    for (let job = 0; job < 4; job += 1) threads.push(await pool.run({ do: "answer" }, IN_TIME));
    expect(threads[0]).toBe(threads[1]);
    expect(threads[2]).toBe(threads[3]);
    expect(threads[1]).not.toBe(threads[2]);
  });

  it("does as many at the same time as it is told", async () => {
    const pool = start({ maxRunning: 2 });
    const both = await Promise.all([pool.run({ do: "answer" }, IN_TIME), pool.run({ do: "answer" }, IN_TIME)]);
    expect(new Set(both).size).toBe(2);
  });

  it.each<[string, Behaviour, object]>([
    ["loops for ever", { do: "loop" }, { reason: "time" }],
    ["takes all memory", { do: "fill" }, { reason: "memory" }],
    ["calls itself for ever", { do: "recurse" }, { reason: "depth" }],
    ["refuses", { do: "refuse" }, { code: "NOT_FOUND", message: "there is no such thing" }],
    ["throws", { do: "throw" }, { code: "INTERNAL" }],
    ["ends the thread", { do: "exit" }, { code: "INTERNAL" }],
  ])("outlives a job that %s", async (_case, behaviour, expected) => {
    const pool = start();
    const timeoutMs = behaviour.do === "loop" ? 500 : 20_000;
    await expect(pool.run(behaviour, { timeoutMs })).rejects.toMatchObject(expected);
    expect(await pool.run({ do: "answer" }, IN_TIME)).toBeGreaterThan(0);
  });

  it("gives no job to a thread that has ended while it was idle", async () => {
    const pool = start();
    const ended = Promise.withResolvers<void>();
    process.once("worker", (worker) => worker.once("exit", () => ended.resolve()));
    const first = await pool.run({ do: "failLater" }, IN_TIME);
    await ended.promise;
    expect(await pool.run({ do: "answer" }, IN_TIME)).not.toBe(first);
  });

  it("ends a job that nobody waits for, and gives its turn to the next", async () => {
    const pool = start();
    const controller = new AbortController();
    const endless = pool.run({ do: "loop" }, { ...IN_TIME, signal: controller.signal });
    const next = pool.run({ do: "answer" }, IN_TIME);
    controller.abort();
    await expect(endless).rejects.toMatchObject({ reason: "aborted" });
    expect(await next).toBeGreaterThan(0);
  });

  it("ends what runs when it is closed", async () => {
    const pool = start();
    const endless = pool.run({ do: "loop" }, IN_TIME);
    const ended = expect(endless).rejects.toMatchObject({ reason: "aborted" });
    await pool.close();
    await ended;
  });

  it("lets idle threads go", async () => {
    const pool = start({ maxIdleMs: 1 });
    const first = await pool.run({ do: "answer" }, IN_TIME);
    await expect.poll(() => pool.run({ do: "answer" }, IN_TIME)).not.toBe(first);
  });
});
