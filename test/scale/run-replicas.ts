import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CounterReader, type Counters, watchPostgres } from "./postgres-counters.ts";
import type { Pace, Task, Work } from "./workload.ts";

const MASTER_KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

/** What some replicas did, and what it took of them and of their database. */
export interface Life extends Omit<Counters, "cpuMs"> {
  /** Commits that notified replicas. */
  readonly notifications: number;
  readonly executions: number;
  /** Of the replica that took longest, without its start. */
  readonly seconds: number;
  readonly replicaCpuMs: number;
  /** Of each execution, on average of the replicas. */
  readonly replicaCpuMsEach: number;
  readonly databaseCpuMs: number;
  readonly latenciesMs: readonly number[];
}

/** Starts replicas of their own processes on one database. */
export interface ReplicaRunner {
  /** @param pace - of each replica. */
  run(replicas: number, pace: Pace): Promise<Life>;
  readonly counters: CounterReader;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

export async function createReplicaRunner(databaseUrl: string): Promise<ReplicaRunner> {
  const counters = await watchPostgres(databaseUrl);
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-scale-"));
  const webhook = start("../../packages/bench/execution/webhook-server.ts");
  const [{ url, secret }] = (await once(webhook, "message")) as [{ url: string; secret: string }];
  const config = { databaseUrl, dataDir, masterKeys: MASTER_KEYS, signingSecret: secret, allowCidrs: ["127.0.0.0/8"] };
  return {
    counters,
    databaseUrl,
    async run(replicas, pace) {
      const before = await counters.read();
      const task: Task = { config, webhookUrl: url, pace };
      const works = await workAll(replicas, task);
      const after = await counters.read();
      const sum = (of: (work: Work) => number) => works.reduce((total, work) => total + of(work), 0);
      return {
        executions: sum(({ executions }) => executions),
        seconds: Math.max(...works.map(({ seconds }) => seconds)),
        replicaCpuMs: sum(({ cpuMs }) => cpuMs),
        replicaCpuMsEach: sum(({ cpuMsEach }) => cpuMsEach) / replicas,
        latenciesMs: works.flatMap(({ latenciesMs }) => latenciesMs).toSorted((left, right) => left - right),
        databaseCpuMs: after.cpuMs - before.cpuMs,
        transactions: after.transactions - before.transactions,
        walBytes: after.walBytes - before.walBytes,
        walFullPages: after.walFullPages - before.walFullPages,
        notifications: sum(({ notifications }) => notifications),
      };
    },
    async close() {
      webhook.kill();
      await counters.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function workAll(replicas: number, task: Task): Promise<readonly Work[]> {
  const children = Array.from({ length: replicas }, () => start("replica-driver.ts"));
  const exits = children.map((child) => once(child, "exit"));
  const ready = children.map((child) => messageOf(child));
  for (const child of children) child.send(task);
  await Promise.all(ready);
  const works = children.map((child) => messageOf(child) as Promise<Work>);
  for (const child of children) child.send("go");
  const done = await Promise.all(works);
  await Promise.all(exits);
  return done;
}

function start(file: string): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [], { execArgv: ["--conditions=@yagate/source"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`a replica ended with ${code} before it had said anything`)));
  });
}
