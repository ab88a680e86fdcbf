import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { afterAll, expect, it } from "vitest";
import { freePort } from "../../../../../test/services/free-port.ts";
import { startMcpWorld } from "../support/mcp-world.ts";

const path = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const port = await freePort();
const server = spawn(process.execPath, [path, "streamableHttp"], {
  env: { ...process.env, PORT: String(port) },
  stdio: ["ignore", "ignore", "pipe"],
});
const listening = once(server.stderr, "data");
const world = await startMcpWorld();
afterAll(async () => {
  server.kill();
  await world.stop();
});

it("the tools of the server everything are accepted and called", { timeout: 60_000 }, async () => {
  await listening;
  const source = await world.makeMcpSource({ url: `http://127.0.0.1:${port}/mcp` });
  expect(source).toMatchObject({ status: "ready", skippedTools: [] });
  expect(await world.callTool(source, "get-sum", { a: 2, b: 3 })).toMatchObject({
    status: "completed",
    result: expect.stringContaining("5"),
  });
  expect(await world.callTool(source, "get-tiny-image")).toMatchObject({
    result: { attachments: [{ mediaType: "image/png", data: expect.any(String) }] },
  });
  const slow = { duration: 0.3, steps: 3 };
  expect(await world.callTool(source, "trigger-long-running-operation", slow)).toMatchObject({ status: "completed" });
  expect(await world.callTool(source, "get-structured-content", { location: "Chicago" })).toMatchObject({
    status: "completed",
    result: { temperature: expect.any(Number) },
  });
  expect(await world.callTool(source, "get-resource-links", { count: 2 })).toMatchObject({
    result: { links: [{ uri: expect.any(String) }, { uri: expect.any(String) }] },
  });
});
