import { execFile } from "node:child_process";
import { createServer, request as forward, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { installedTool } from "../../../../../scripts/installed-tool.ts";
import { makeAgent } from "../support/agents.ts";
import { workTool } from "../support/handler.ts";
import { startWorld, type World } from "../support/world.ts";

/** The suite calls its tools without arguments; an agent needs a question. */
const INPUTS = new Map([
  ["test_simple_text", "hello"],
  ["test_tool_with_progress", "What is 6 * 7?"],
  ["test_error_handling", "hello"],
  ["slow_compute", "Do the work"],
]);
/** The scenarios of the extension for tasks that need no more than a tool whose calls take long. */
const TASK_SCENARIOS = ["tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal"];
/** Longer than a call waits before it continues as a task. */
const SLOW_MS = 6_000;

const callSchema = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ name: z.string() }),
});

let world: World;
let proxy: Server;
let service: Server;
let url: string;

beforeAll(async () => {
  proxy = createServer();
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = z.object({ port: z.number() }).parse(proxy.address());
  const origin = `http://127.0.0.1:${address.port}`;
  url = `${origin}/mcp`;
  world = await startWorld({ corsOrigins: [origin] });
  proxy.on("request", async (incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${world.key}` };
    const body = withInput(await text(incoming));
    const length = incoming.method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const sent = forward(`${world.url}/mcp`, { method: incoming.method, headers: { ...headers, ...length } });
    sent.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    sent.end(body);
  });
  const agent = { exposed: true, model: "scripted/keyword" };
  await makeAgent(world, { ...agent, name: "Test simple text" });
  await makeAgent(world, { ...agent, name: "Test tool with progress", tools: [{ builtin: "calculator" }] });
  // An execution without a script fails.
  await makeAgent(world, { ...agent, name: "Test error handling", model: "scripted/turns" });
  service = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" }).end('{ "result": "done" }');
    }, SLOW_MS);
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(service.address());
  await makeAgent(world, { ...agent, name: "Slow compute", tools: [workTool(`http://127.0.0.1:${port}/tools`)] });
});

afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  service.close();
  service.closeAllConnections();
  await world.stop();
});

it.each(["2025-11-25", "2026-07-28"])(
  "the server passes what applies to it of revision %s",
  async (revision) => {
    const suite = [installedTool("@modelcontextprotocol/conformance", "conformance"), "server"];
    // The file lists what does not apply, with the reasons.
    const expectedFailures = fileURLToPath(new URL(`server-${revision}.yml`, import.meta.url));
    const options = ["--url", url, "--requirements", revision, "--expected-failures", expectedFailures];
    const run = await promisify(execFile)(process.execPath, [...suite, ...options]).then(
      ({ stdout }) => ({ isPassed: true, stdout }),
      // The suite exits with 1 if a scenario fails that is not listed, or one passes that is.
      ({ stdout }) => ({ isPassed: false, stdout }),
    );
    expect(run).toEqual({ isPassed: true, stdout: expect.stringContaining("=== SUMMARY ===") });
  },
  120_000,
);

it.each(TASK_SCENARIOS)("the server passes %s", { timeout: 180_000 }, async (scenario) => {
  const suite = [installedTool("@modelcontextprotocol/conformance", "conformance"), "server"];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[...suite, "--url", url, "--scenario", scenario, "--timeout", "120000"],
  ]);
  expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
});

function withInput(body: string): string {
  if (body === "") return body;
  const parsed = callSchema.safeParse(JSON.parse(body));
  const input = parsed.success ? INPUTS.get(parsed.data.params.name) : undefined;
  if (!parsed.success || input === undefined) return body;
  return JSON.stringify({ ...parsed.data, params: { ...parsed.data.params, arguments: { input } } });
}
