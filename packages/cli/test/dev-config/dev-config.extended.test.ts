import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { startListening } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";

const API_KEY = "yk_0123456789abcdef0123456789abcdef";
const PATHS = {
  "/orders": { get: { operationId: "listOrders", summary: "Lists orders.", responses: {} } },
};
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://api.shop.example" }],
};

/** Starts `yagate dev` in a directory with a configuration. */
async function startConfigured(config: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const cwd = await makeFolder();
  const write = (text: string) => writeFile(join(cwd, "yagate.config.ts"), text);
  await write(config);
  await writeFile(join(cwd, "openapi.json"), JSON.stringify({ ...DOCUMENT, paths: PATHS }));
  const start = async () => {
    const dev = await startListening(["dev", ...args], { cwd, env: { YAGATE_API_KEY: API_KEY, ...env } });
    return { ...dev, client: new Yagate({ baseUrl: dev.url, apiKey: API_KEY }) };
  };
  return { ...(await start()), write, start };
}

const SHOP = '{ name: "shop", kind: "openapi", file: "openapi.json", accept: "all" }';
const desk = (rest = "") => `{ name: "Desk", model: "scripted/keyword", tools: [{ source: "shop" }], ${rest} }`;
const config = (sources: string, agents: string, rest = "") =>
  `export default { port: 0, demo: false, ${rest} sources: [${sources}], agents: [${agents}] };`;

describe("yagate dev with a configuration", () => {
  it("creates, changes and deletes agents and sources as the file changes, and keeps the last valid one", async () => {
    const dev = await startConfigured(config(SHOP, desk()));
    await dev.until(/config: tool source shop was created\n[\s\S]*config: agent Desk was created\n/);
    const [source] = await dev.client.sources.list().toArray();
    expect(source).toMatchObject({ name: "shop", status: "ready", toolCounts: { accepted: 1 } });
    const [agent] = await dev.client.agents.list().toArray();
    expect(agent).toMatchObject({ name: "Desk", version: 1, tools: [{ source: source?.id }] });

    await dev.write(config(SHOP, desk('systemPrompt: "Be brief."')));
    await dev.until(/config: agent Desk was updated\nconfig: the changed file was applied\.\n/);
    expect(await dev.client.agents.list().toArray()).toMatchObject([{ id: agent?.id, systemPrompt: "Be brief." }]);
    expect(dev.output()).not.toContain("tool source shop was updated");

    await dev.write(config(SHOP, desk('\n systemPromt: "x"')));
    await dev.until(
      /✕ config: applied, except agent Desk: yagate\.config\.ts:2: agents\[0\]\.systemPromt: unknown field: did you mean systemPrompt\?\n/,
    );
    await dev.write(config(SHOP, desk(), "demmo: true,"));
    await dev.until(
      /✕ config: the configuration is not valid:\n {2}yagate\.config\.ts:1 {2}demmo: unknown field: did you mean demo\?\n {2}The last valid configuration stays in use\.\n/,
    );
    expect(await dev.client.agents.list().toArray()).toMatchObject([{ systemPrompt: "Be brief." }]);

    const other = await dev.client.agents.create({ name: "Other", model: "scripted/keyword" });
    await dev.write(config("", "", 'dataDir: "elsewhere",'));
    await dev.until(/config: dataDir changed: restart yagate dev to apply this\.\n[\s\S]*tool source shop was deleted/);
    expect(await dev.client.agents.list().toArray()).toMatchObject([{ id: other.id }]);
    expect(await dev.client.sources.list().toArray()).toEqual([]);
    expect(await dev.stop("SIGINT")).toBe(0);
  });

  it("changes nothing at the next start with the same file, and adopts what exists under a name", async () => {
    const dev = await startConfigured(config(SHOP, desk()));
    await dev.until(/agent Desk was created\n/);
    const own = await dev.client.agents.create({ name: "Own", model: "scripted/keyword" });
    await dev.stop("SIGINT");
    const again = await dev.start();
    expect(await again.client.agents.list().toArray()).toMatchObject([{ id: own.id }, { name: "Desk", version: 1 }]);
    await dev.write(config(SHOP, `${desk()}, { name: "Own", model: "scripted/keyword", description: "Mine." }`));
    await again.until(/agent Own was updated\n/);
    await dev.write(config(SHOP, desk()));
    await again.until(/the changed file was applied\.\n[\s\S]*nothing to apply in the changed file\.\n/);
    expect(await again.client.agents.get(own.id)).toMatchObject({ description: "Mine." });
    expect(again.output()).not.toContain("Desk was");
  });

  it("applies what is right, and names the line of each wrong reference with the nearest name", async () => {
    const agent = (name: string, tool: string) => `\n{ name: "${name}", model: "scripted/keyword", tools: [${tool}] }`;
    const agents = [
      agent("A", '{ source: "shopp" }'),
      agent("B", '{ tool: "get_weathr" }'),
      agent("C", '{ builtin: "calculater" }'),
      agent("D", '{ source: "shop", tools: ["list_order"] }'),
      agent("E", '{ source: "elsewhere" }'),
      agent("F", '{ tool: "get_weather" }'),
    ];
    const dev = await startConfigured(config(SHOP, ""));
    const parameters = { type: "object" };
    const definition = { name: "get_weather", description: "Weather.", parameters, handler: "http://127.0.0.1:9/" };
    await dev.client.tools.create({ definition });
    await dev.write(config(SHOP, agents.join(",")));
    const [report] = await dev.until(/config: agent F was created\n✕ config: applied, except:\n(?: {2}.*\n){5}/);
    const unknown = "expected the name or id of a";
    expect(report.split("\n").slice(2, 7)).toEqual([
      `  agent A: yagate.config.ts:2: agents[0].tools[0].source: ${unknown} tool source: did you mean shop?`,
      `  agent B: yagate.config.ts:3: agents[1].tools[0].tool: ${unknown} workspace tool: did you mean get_weather?`,
      expect.stringMatching(/^ {2}agent C: yagate\.config\.ts:4: .*: did you mean calculator\?$/),
      expect.stringMatching(/^ {2}agent D: yagate\.config\.ts:5: .*: did you mean list_orders\?$/),
      `  agent E: yagate.config.ts:6: agents[4].tools[0].source: ${unknown} tool source: there is shop`,
    ]);
    expect(await dev.client.agents.list().toArray()).toMatchObject([{ name: "F" }]);
  });

  it("reports an agent only if it changed, and a tool source that cannot be read once", async () => {
    const far = '{ name: "far", kind: "handler", url: "http://127.0.0.1:9/tools" }';
    const dev = await startConfigured(config(far, ""));
    await dev.until(/SOURCE_UNREACHABLE tool source far: .*\n[\s\S]*config: tool source far was created\n/);
    const definition = { name: "Own", model: "scripted/keyword", description: "Mine." };
    await dev.client.agents.create(definition);
    await dev.write(config(far, JSON.stringify(definition)));
    await dev.until(/config: nothing to apply in the changed file\.\n/);
    expect(dev.output()).not.toContain("agent Own was");
    const lines = dev
      .output()
      .split("\n")
      .filter((line) => line.includes("tool source far:"));
    expect(lines).toHaveLength(1);
  });

  it("resets the fields that an entry no longer contains", async () => {
    const full = `description: "Mine.", exposed: true,
      webhookUrls: ["https://hooks.example.com/a"], limits: { maxToolIterations: 2, maxCostUsd: 1 },
      policy: { network: true, toolKinds: ["network"], approval: "never", untrusted: "allow" }`;
    const dev = await startConfigured(config(SHOP, desk(full)));
    await dev.until(/agent Desk was created\n/);
    expect(await dev.client.agents.list().toArray()).toMatchObject([
      { description: "Mine.", exposed: true, policy: { approval: "never" }, limits: { maxToolIterations: 2 } },
    ]);
    await dev.write(config(SHOP, desk()));
    await dev.until(/agent Desk was updated\n/);
    expect(await dev.client.agents.list().toArray()).toMatchObject([
      {
        ...{ description: "", exposed: false, webhookUrls: [], tools: [{}] },
        limits: { maxToolIterations: 8, maxCostUsd: null },
        policy: { network: false, approval: "destructive", untrusted: "approve_writes" },
      },
    ]);
    const [agent] = await dev.client.agents.list().toArray();
    expect(agent?.policy.toolKinds).toContain("handler");
  });

  it("applies a change that the file gets after it was read and before it is watched", async () => {
    // The file changes itself while it is read for the first time.
    const later = config("", '{ name: "Later", model: "scripted/keyword" }');
    const dev = await startConfigured(`
      import { writeFileSync } from "node:fs";
      writeFileSync("yagate.config.ts", ${JSON.stringify(later)});
      ${config("", '{ name: "First", model: "scripted/keyword" }')}
    `);
    await dev.until(/agent First was created\n[\s\S]*the changed file was applied\.\n/);
    expect(await dev.client.agents.list().toArray()).toMatchObject([{ name: "Later" }]);
  });

  it("takes options before the environment, and the environment before the file", async () => {
    const dataDir = join(await makeFolder(), "env");
    const file = config("", "", 'dataDir: "file",');
    const byFile = await startConfigured(file);
    expect(byFile.output()).toMatch(/data in \S+\/file,/);
    const byEnvironment = await startConfigured(file, [], { YAGATE_DATA_DIR: dataDir });
    expect(byEnvironment.output()).toContain(`data in ${dataDir},`);
    await byEnvironment.stop("SIGINT");
    const byOption = await startConfigured(file, ["--data-dir", `${dataDir}-option`], { YAGATE_DATA_DIR: dataDir });
    expect(byOption.output()).toContain(`data in ${dataDir}-option,`);
  });
});
