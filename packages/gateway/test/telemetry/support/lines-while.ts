import { fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { makeTemporaryDirectory } from "../../../../store/test/support/temporary-directory.ts";
import { createApiCaller } from "../../http/support/api-caller.ts";

const KEY = "yk_of_a_test_0000";
const lineSchema = z.looseObject({ level: z.number(), msg: z.string() });

export type LogLine = z.infer<typeof lineSchema>;

/** A directory that is removed after the test. */
export async function makeDataDir(): Promise<string> {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  return directory.path;
}

/** Lines of a gateway that logs everything, while `play` uses it. */
export async function linesWhile(
  dataDir: string,
  play: (api: Awaited<ReturnType<typeof createApiCaller>>) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly LogLine[]> {
  const child = fork(fileURLToPath(new URL("../../http/support/logging-gateway.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@yagate/source"],
    silent: true,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      YAGATE_PORT: "0",
      YAGATE_DATA_DIR: dataDir,
      YAGATE_LOG_LEVEL: "debug",
      YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
      YAGATE_DRAIN_MS: "0",
      YAGATE_ALLOW_SELF_APPROVAL: "true",
      YAGATE_API_KEY: KEY,
      ...env,
    },
  });
  onTestFinished(() => {
    child.kill();
  });
  if (child.stdout === null) throw new Error("expected the log to be readable");
  const written = text(child.stdout);
  const [url] = await once(child, "message");
  await play(await createApiCaller(String(url), KEY));
  child.disconnect();
  return (await written)
    .trim()
    .split("\n")
    .map((line) => lineSchema.parse(JSON.parse(line)));
}
