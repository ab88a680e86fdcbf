import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Yagate } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { KEYS, startListening } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";

const API_KEY = "yk_0123456789abcdef0123456789abcdef";
const PROGRAM = fileURLToPath(new URL("./support/stdio-tools.ts", import.meta.url));
const FIRST_PROGRAM = fileURLToPath(new URL("./support/first-sdk-tools.ts", import.meta.url));

const configOf = (sources: string, agents = "") =>
  `export default { port: 0, demo: false, sources: [${sources}], agents: [${agents}] };`;
const AGENT = `{
  name: "Desk", model: "scripted/turns", tools: [{ source: "local" }], policy: { network: true, approval: "never" },
}`;

/** An entry that starts the server of the SDK. */
const local = (env = "{}", tool = "env") =>
  `{ name: "local", kind: "mcp", accept: "all", command: ${JSON.stringify(process.execPath)},
     args: [${JSON.stringify(PROGRAM)}, "pids", "${tool}"], env: ${env} }`;

/** Starts `yagate dev` with a configuration in a directory of its own. */
async function startConfigured(config: string) {
  const cwd = await makeFolder();
  const write = (text: string) => writeFile(join(cwd, "yagate.config.ts"), text);
  await write(config);
  const start = async () => {
    const env = { YAGATE_API_KEY: API_KEY, SECRET_OF_DEV: "not for the server" };
    const dev = await startListening(["dev"], { cwd, env });
    const client = new Yagate({ baseUrl: dev.url, apiKey: API_KEY });
    return { ...dev, client };
  };
  const pids = async () => (await readFile(join(cwd, "pids"), "utf8")).trim().split("\n").map(Number);
  return { ...(await start()), cwd, write, start, pids };
}

async function sourceOf(client: Yagate) {
  const [source] = await client.sources.list().toArray();
  return client.sources.get(source?.id ?? "");
}

/** Calls a tool of the server once. @returns the outcome of the call. */
async function call(client: Yagate, tool: string) {
  const [agent] = await client.agents.list().toArray();
  const turns = [{ toolCalls: [{ name: `local.${tool}`, parameters: {} }] }, { text: "Done." }];
  const { id } = await client.agents.execute(agent?.id ?? "", { input: "Go.", script: { turns } });
  const [toolCall] = await client.executions.toolCalls(id).toArray();
  return toolCall;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a stdio server of the configuration", () => {
  it("keeps its URL over restarts and with another value of a variable; another command holds its tools", {
    timeout: 60_000,
  }, async () => {
    const dev = await startConfigured(configOf(local('{ KEY: "first-value" }')));
    await dev.until(/tool source local was created\n/);
    const before = await sourceOf(dev.client);
    expect(before).toMatchObject({ status: "ready", toolCounts: { accepted: 3 } });
    expect(before.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/local\/[0-9a-f]{32}$/);
    expect((await stat(join(dev.cwd, ".yagate/stdio-bridge.json"))).mode & 0o777).toBe(0o600);
    expect(await dev.stop("SIGTERM")).toBe(0);

    const again = await dev.start();
    await dev.write(configOf(local('{ KEY: "other-value" }')));
    await again.until(
      /\[local\] the server starts again, [\s\S]*config: nothing to apply in the changed file\.\n[\s\S]*ready to/,
    );
    expect(await sourceOf(again.client)).toMatchObject({
      url: before.url,
      status: "ready",
      generation: before.generation,
    });
    const pids = await dev.pids();
    expect(pids.filter(isRunning)).toEqual(pids.slice(-1));

    await dev.write(configOf(local('{ KEY: "other-value" }', "other")));
    await again.until(/tool source local was updated\n/);
    const after = await sourceOf(again.client);
    expect(after.url).not.toBe(before.url);
    expect(after).toMatchObject({ status: "changed", toolCounts: { accepted: 0 } });
    expect(after.tools?.map(({ isOffered }) => isOffered)).not.toContain(true);
    await dev.write(configOf(local('{ KEY: "other-value", MORE: "x" }', "other")));
    await again.until(/tool source local was updated\n[\s\S]*tool source local was updated\n/);
    expect((await sourceOf(again.client)).url).not.toBe(after.url);
  });

  it("starts again after a crash, which fails the call under way", async () => {
    const dev = await startConfigured(configOf(local(), AGENT));
    await dev.until(/agent Desk was created\n/);
    const { syncedAt } = await sourceOf(dev.client);
    expect(await call(dev.client, "crash")).toMatchObject({
      status: "failed",
      error: { code: "HANDLER_ERROR", message: expect.stringContaining("it responded with HTTP 502") },
    });
    await dev.until(/\[local\] ✕ the process ended with status 3; it starts again in 0\.5 s\n[\s\S]*\[local\] ready/);
    expect(await call(dev.client, "env")).toMatchObject({ status: "completed" });
    await expect.poll(async () => (await sourceOf(dev.client)).syncedAt, { timeout: 10_000 }).not.toBe(syncedAt);
  });

  it.each<[string, (dev: Awaited<ReturnType<typeof startConfigured>>) => Promise<unknown>]>([
    [
      "its entry is removed",
      async ({ write, until }) => {
        await write(configOf("", AGENT.replace('{ source: "local" }', "")));
        await until(/the changed file was applied\.\n/);
      },
    ],
    ["dev stops", ({ stop }) => stop("SIGINT")],
    [
      "a second signal ends dev at once",
      async ({ child, until, ended }) => {
        child.kill("SIGINT");
        await until(/Stopping: /);
        child.kill("SIGINT");
        await ended;
      },
    ],
  ])("ends with all processes that it started, even if they ignore SIGTERM, when %s", async (_when, act) => {
    const dev = await startConfigured(configOf(local(), AGENT));
    await dev.until(/agent Desk was created\n/);
    expect(await call(dev.client, "linger")).toMatchObject({ status: "completed" });
    const pids = await dev.pids();
    expect(pids.filter(isRunning)).toHaveLength(2);
    await act(dev);
    await expect.poll(() => pids.filter(isRunning), { timeout: 5_000 }).toEqual([]);
  });

  it("leaves nothing behind when the last one is removed", async () => {
    const dev = await startConfigured(configOf(local()));
    await dev.until(/tool source local was created\n/);
    expect(await dev.client.secrets.list().toArray()).toMatchObject([{ name: "YAGATE_STDIO_BRIDGE" }]);
    await dev.write(configOf(""));
    await dev.until(/the changed file was applied\.\n/);
    expect(await dev.client.secrets.list().toArray()).toEqual([]);
    await expect(stat(join(dev.cwd, ".yagate/stdio-bridge.json"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("can be one of the first SDK, which reports progress", async () => {
    const entry = `{ name: "local", kind: "mcp", accept: "all", command: ${JSON.stringify(process.execPath)},
      args: [${JSON.stringify(FIRST_PROGRAM)}] }`;
    const dev = await startConfigured(configOf(entry, AGENT));
    await dev.until(/agent Desk was created\n/);
    const calls = await Promise.all([call(dev.client, "count"), call(dev.client, "count")]);
    expect(calls).toMatchObject([
      { status: "completed", result: "3" },
      { status: "completed", result: "3" },
    ]);
  });

  it("that cannot be started is reported with its line, and the other entries are applied", async () => {
    const entry = (name: string, rest: string) => `\n{ name: "${name}", kind: "mcp", ${rest} }`;
    const dev = await startConfigured(
      configOf(
        [
          entry("a", 'command: "no-such-program"'),
          entry("b", 'command: "node", url: "http://localhost:1/"'),
          entry("c", 'command: ""'),
          entry("d", 'command: "node", cwd: "no-such-directory"'),
          entry("e", ""),
          entry("f", 'command: "./no-such-file"'),
          entry("g", 'command: "node", arg: []'),
          local().trim(),
        ].join(","),
      ),
    );
    const [report] = await dev.until(/local was created\n✕ config: applied, except:\n(?: {2}.*\n){7}/);
    expect(
      report
        .split("\n")
        .slice(2)
        .map((line) => line.replaceAll(dev.cwd, "CWD")),
    ).toEqual([
      "  tool source a: yagate.config.ts:2: sources[0].command: expected a program that can be executed: no-such-program is not on the PATH",
      "  tool source b: yagate.config.ts:3: sources[1].url: expected either url or command: a server that dev starts needs no url",
      "  tool source c: yagate.config.ts:4: sources[2].command: expected the name or the path of a program, such as npx",
      "  tool source d: yagate.config.ts:5: sources[3].cwd: expected CWD/no-such-directory to be a directory",
      "  tool source e: yagate.config.ts:6: sources[4].url: expected url, or command for a server that dev starts",
      "  tool source f: yagate.config.ts:7: sources[5].command: expected a program that can be executed: ./no-such-file does not exist in CWD",
      "  tool source g: yagate.config.ts:8: sources[6].arg: unknown field: did you mean args?",
      "",
    ]);
  });

  it("is never started by yagate serve, and no API accepts a command", async () => {
    const cwd = await makeFolder();
    await writeFile(join(cwd, "yagate.config.ts"), configOf(local()));
    const env = { ...KEYS, YAGATE_PORT: "0", YAGATE_ALLOW_WEAK_KEYS: "true" };
    const { url } = await startListening(["serve"], { cwd, env });
    const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
    const command = { command: process.execPath, args: [PROGRAM, join(cwd, "pids")] };
    for (const place of [{}, { url: "http://127.0.0.1:9/" }]) {
      const headers = { authorization: `Bearer ${KEYS.YAGATE_API_KEY}`, "content-type": "application/json" };
      const body = JSON.stringify({ name: "local", kind: "mcp", ...command, ...place });
      const response = await fetch(`${url}/v1/tool-sources`, { method: "POST", headers, body });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        errors: expect.arrayContaining([expect.objectContaining({ path: "command", code: "UNRECOGNIZED_KEYS" })]),
      });
    }
    expect(await client.sources.list().toArray()).toEqual([]);
    await expect(stat(join(cwd, "pids"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("answers calls with only the variables that it may have, and its output is in the log", async () => {
    const dev = await startConfigured(configOf(local('{ TICKETS_KEY: "tk_0123456789" }'), AGENT));
    await dev.until(/agent Desk was created\n/);
    expect(dev.output()).toContain("[local] ready to  serve\n");
    expect(dev.output()).toContain("[local] ✕ expected JSON-RPC on standard output, found: this is no message\n");
    expect(dev.output()).toContain('standard output, found: { "level": "info" }\n');
    const done = await call(dev.client, "env");
    expect(done).toMatchObject({ status: "completed" });
    const env: unknown = JSON.parse(String(done?.result));
    expect(env).toMatchObject({
      TICKETS_KEY: "tk_0123456789",
      PATH: expect.stringContaining(process.env["PATH"] ?? ""),
    });
    expect(env).not.toHaveProperty("YAGATE_API_KEY");
    expect(env).not.toHaveProperty("SECRET_OF_DEV");
    expect(await dev.stop("SIGINT")).toBe(0);
    expect((await dev.pids()).filter(isRunning)).toEqual([]);
  });
});
