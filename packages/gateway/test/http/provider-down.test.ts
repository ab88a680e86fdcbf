import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../test/services/free-port.ts";
import { makeAgent, start } from "./support/agents.ts";
import { createApiCaller } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";

it("a model server that is down is in the log of a gateway that logs warnings, with its address and the cause", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-down-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const apiKey = "yk_of_a_test_0000";
  const origin = `http://127.0.0.1:${await freePort()}`;
  const child = fork(fileURLToPath(new URL("support/logging-gateway.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@yagate/source"],
    silent: true,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      YAGATE_PORT: "0",
      YAGATE_DATA_DIR: dataDir,
      YAGATE_DRAIN_MS: "0",
      YAGATE_API_KEY: apiKey,
      YAGATE_PROVIDERS: `house=${origin}/v1`,
      HOUSE_API_KEY: "sk-planted-0123456789",
    },
  });
  onTestFinished(() => {
    child.kill();
  });
  if (child.stdout === null) throw new Error("expected the log to be readable");
  const written = text(child.stdout);
  const [url] = await once(child, "message");
  const api = await createApiCaller(String(url), apiKey);

  const agent = await makeAgent(api, { model: "house/m" });
  const { id: executionId } = await start(api, agent.id, { input: "hello" });
  await new EventReader(await api.open("followExecution", { params: { id: executionId } })).until("model.failed");
  await api.call("cancelExecution", { params: { id: executionId } });
  child.disconnect();
  const log = await written;

  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {
      level: 40,
      msg: "a model provider could not be reached",
      provider: "house",
      origin,
      reason: expect.stringContaining("ECONNREFUSED"),
      executionId,
    },
  ]);
  expect(log).not.toContain("planted");
});
