import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Yagate } from "@yagate/client";
import type { GatewayConfig } from "@yagate/gateway";
import { generateSigningSecret } from "@yagate/protocol";

const API_KEY = "yk_hostile_0123456789abcdef0123456789abcdef";
const MEBIBYTE = 1_048_576;

/** A gateway in a process of its own, whose memory can be watched from outside. */
export interface MeasuredGateway {
  readonly url: string;
  readonly apiKey: string;
  readonly client: Yagate;
  readonly secret: string;
  /**
   * Most that its resident memory grew while `work` ran, in MiB, the most processor time in which its event loop did
   * nothing else, in ms, and the processor time of all its threads, in ms.
   */
  growthWhile<Result>(work: () => Promise<Result>): Promise<{
    readonly result: Result;
    readonly grownMiB: number;
    readonly longestGapMs: number;
    readonly cpuMs: number;
  }>;
  /** What is in use after a garbage collection, in MiB. */
  keptMiB(): Promise<number>;
  stop(): Promise<void>;
}

interface Memory {
  readonly rss: number;
  readonly peakRss: number;
  readonly keptBytes: number;
  readonly longestGapMs: number;
  readonly cpuMs: number;
}

export async function startMeasuredGateway(config: Partial<GatewayConfig> = {}): Promise<MeasuredGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-measured-"));
  const secret = generateSigningSecret();
  const child = fork(fileURLToPath(new URL("gateway-child.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@yagate/source", "--expose-gc"],
  });
  const start: GatewayConfig = {
    port: 0,
    dataDir,
    apiKey: API_KEY,
    signingSecret: secret,
    allowCidrs: ["127.0.0.0/8"],
    drainMs: 0,
    // It is measured without the quotas that would refuse the load.
    plans: { standard: { eventStreamsPerExecution: null, requestsPerSecond: null } },
    ...config,
  };
  const { url } = await ask<{ url: string }>(child, { ask: "start", config: start });
  const memory = (question: "watch" | "report" | "collect") => ask<Memory>(child, { ask: question });
  return {
    url,
    apiKey: API_KEY,
    client: new Yagate({ baseUrl: url, apiKey: API_KEY }),
    secret,
    async growthWhile(work) {
      const before = await memory("watch");
      const result = await work();
      const after = await memory("report");
      return {
        ...{ result, grownMiB: (after.peakRss - before.rss) / MEBIBYTE },
        ...{ longestGapMs: after.longestGapMs, cpuMs: after.cpuMs - before.cpuMs },
      };
    },
    keptMiB: async () => (await memory("collect")).keptBytes / MEBIBYTE,
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const over = new AbortController();
  const ended = once(child, "exit", { signal: over.signal }).then(([code]) => {
    throw new Error(`the gateway ended with ${code}`);
  });
  const answered = once(child, "message", { signal: over.signal }).then(([answer]) => answer as Answer);
  child.send(question);
  try {
    return await Promise.race([answered, ended]);
  } finally {
    over.abort();
    ended.catch(() => {});
    answered.catch(() => {});
  }
}
