import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const API_KEY = "yk_saturation-bench-0123456789abcdefghij";

const MASTER_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64");

/** `yagate serve` of a checkout, in a separate process that is used only over HTTP. */
export interface ServedGateway {
  /** @throws Error if the status of the response is not 2xx. */
  call(method: "GET" | "POST", path: string, body?: object, key?: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** @param checkout - folder of the sources that run. */
export async function serveGateway(
  checkout: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServedGateway> {
  const main = join(checkout, "packages", "cli", "src", "main.ts");
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["--conditions=@yagate/source", main, "serve"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH,
      YAGATE_API_KEY: API_KEY,
      YAGATE_MASTER_KEYS: `k1:${MASTER_KEY}`,
      YAGATE_PORT: "0",
      YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
      YAGATE_LOG_LEVEL: "error",
      ...environment,
    },
  });
  const url = await urlOf(child);
  return {
    async call(method, path, body, key = API_KEY) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  const failed = once(child, "exit").then(() => {
    throw new Error("the gateway ended before it listened");
  });
  let output = "";
  const heard = new Promise<string>((resolve) => {
    child.stdout?.on("data", (data: Buffer) => {
      output += data.toString();
      const [, url] = /Yagate listens on (http\S+)/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  failed.catch(() => {});
  return Promise.race([heard, failed]);
}
