import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type ApiCaller, createApiCaller } from "./api-caller.ts";

/** A gateway in a process of its own, whose output can be read. */
export interface ForkedGateway {
  readonly api: ApiCaller;
  readonly dataDir: string;
  readonly apiKey: string;
  /** Ends the gateway and returns all that it wrote. */
  stop(): Promise<string>;
}

/** Starts one that is gone with its test, and logs everything unless the variables say otherwise. */
export async function forkGateway(variables: Readonly<Record<string, string>>): Promise<ForkedGateway> {
  const given = variables["YAGATE_DATA_DIR"];
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), "yagate-forked-")));
  if (given === undefined) onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const apiKey = `yk_${randomBytes(32).toString("base64url")}`;
  const child = fork(fileURLToPath(new URL("logging-gateway.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@yagate/source"],
    silent: true,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      YAGATE_PORT: "0",
      YAGATE_DATA_DIR: dataDir,
      YAGATE_DRAIN_MS: "0",
      YAGATE_LOG_LEVEL: "debug",
      YAGATE_API_KEY: apiKey,
      // Tests ask faster than a tenant may.
      YAGATE_PLANS: '{"standard":{"requestsPerSecond":null}}',
      ...variables,
    },
  });
  onTestFinished(() => {
    child.kill();
  });
  const written = collectOutput(child);
  const [url] = await Promise.race([once(child, "message"), failedStart(child, written)]);
  const api = await createApiCaller(String(url), apiKey);
  return {
    api,
    dataDir,
    apiKey,
    async stop() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
      return written();
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return () => output;
}

async function failedStart(child: ChildProcess, written: () => string): Promise<never> {
  await once(child, "exit");
  throw new Error(`expected the gateway to start: ${written()}`);
}
