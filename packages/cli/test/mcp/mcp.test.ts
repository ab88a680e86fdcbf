import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Yagate } from "@yagate/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMPILED, KEYS, MAIN, NO_PROFILES } from "../support/command.ts";
import { startGateway } from "../support/gateway.ts";

async function startWithAgent(): Promise<Record<string, string>> {
  const { url, env } = await startGateway();
  const yagate = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  await yagate.agents.create({ name: "Order desk", model: "scripted/keyword", exposed: true });
  return env;
}

function environment(change: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  return { PATH, NODE_OPTIONS, ...NO_PROFILES, NODE_COMPILE_CACHE: COMPILED, ...change };
}

/** Writes lines, waits for as many lines on standard output, and closes standard input. */
async function exchange(env: Readonly<Record<string, string>>, lines: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, "mcp"], { env: environment(env), stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.write(lines.map((line) => `${line}\n`).join(""));
  let output = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    output += text;
    if (output.split("\n").length > lines.length) child.stdin.end();
  }
  const [status] = child.exitCode === null ? await once(child, "close") : [child.exitCode];
  return {
    status,
    messages: output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

describe("yagate mcp", () => {
  it.each<[string, ClientOptions]>([
    ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
    ["2025-11-25", { versionNegotiation: { mode: "legacy" } }],
  ])("lets a host of the revision %s execute an agent", async (_revision, options) => {
    const env = environment(await startWithAgent());
    const host = new Client({ name: "host", version: "1" }, options);
    onTestFinished(() => host.close());
    await host.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env }));
    expect((await host.listTools()).tools.map(({ name }) => name)).toEqual(["order_desk", "execution_result"]);
    const result = await host.callTool({ name: "order_desk", arguments: { input: "hello" } });
    expect(result.content).toMatchObject([{ type: "text", text: expect.stringContaining("I am scripted/keyword") }]);
    await expect(host.callTool({ name: "none", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it.each<[string, Record<string, string>, string]>([
    ["an invalid key", { YAGATE_API_KEY: "yk_wrong" }, "UNAUTHENTICATED: expected a valid API key"],
    ["no gateway", { YAGATE_BASE_URL: "http://127.0.0.1:1" }, "the gateway could not be reached"],
  ])("writes only messages of the protocol to standard output: %s", async (_what, change, message) => {
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" });
    const { status, messages } = await exchange({ ...(await startWithAgent()), ...change }, [ping, "not JSON"]);
    expect(status).toBe(0);
    expect(messages).toHaveLength(2);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 7, error: { code: -32603, message: expect.stringContaining(message) } }),
        expect.objectContaining({ id: null, error: { code: -32700, message: expect.any(String) } }),
      ]),
    );
  });
});
