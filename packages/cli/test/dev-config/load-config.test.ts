import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { defineConfig, type YagateConfig } from "../../src/config.ts";
import { findConfig } from "../../src/gateway/configuration/find-config.ts";
import { loadConfig } from "../../src/gateway/configuration/load-config.ts";
import { makeFolder } from "../support/folder.ts";

async function written(text: string, name = "yagate.config.ts"): Promise<string> {
  const file = join(await makeFolder(), name);
  await writeFile(file, text);
  return file;
}

/** Loads a configuration. @returns the message of the error, with `file` for the path. */
async function faultOf(text: string, name?: string): Promise<string> {
  const file = await written(text, name);
  const error: unknown = await loadConfig(file).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "INVALID_REQUEST" });
  return error instanceof Error ? error.message.replaceAll(file, "file") : "";
}

const AGENT = { name: "Desk", model: "scripted/keyword" } as const;

describe("a configuration", () => {
  it("is a TypeScript file with types and imports, which are read again each time", async () => {
    const file = await written(`
      import { model } from "./model.ts";
      interface Named { name: string }
      const named: Named = { name: "Desk" };
      export default { port: 0, agents: [{ ...named, model: model as string }] } satisfies object;
    `);
    const other = join(dirname(file), "model.ts");
    await writeFile(other, 'export const model: string = "scripted/keyword";');
    expect(await loadConfig(file)).toMatchObject({ port: 0, sources: [], agents: [AGENT] });
    await writeFile(other, 'export const model = "scripted/echo";');
    expect(await loadConfig(file)).toMatchObject({ agents: [{ model: "scripted/echo" }] });
  });

  it("is a JavaScript file, or a promise", async () => {
    const file = await written("export default Promise.resolve({ demo: false });", "yagate.config.mjs");
    expect(await loadConfig(file)).toMatchObject({ demo: false, agents: [] });
  });

  it("names places relative to the file: the data directory, and OpenAPI documents with what they refer to", async () => {
    const file = await written(`export default {
      dataDir: "data",
      sources: [{ name: "shop", kind: "openapi", file: "api/openapi.yaml" }],
    };`);
    await mkdir(join(dirname(file), "api"));
    await writeFile(join(dirname(file), "api/openapi.yaml"), 'openapi: 3.1.0\n$ref: "paths.yaml"\n');
    await writeFile(join(dirname(file), "api/paths.yaml"), "paths: {}\n");
    expect(await loadConfig(file)).toMatchObject({
      dataDir: join(dirname(file), "data"),
      sources: [{ name: "shop", documentName: "openapi.yaml", documents: { "paths.yaml": "paths: {}\n" } }],
    });
  });

  it("has the types of the API", () => {
    const config = defineConfig({
      sources: [{ name: "shop", kind: "openapi", file: "openapi.yaml" }],
      agents: [AGENT],
    });
    expectTypeOf(config).toEqualTypeOf<YagateConfig>();
    expect(config.agents).toEqual([AGENT]);
    // @ts-expect-error: a name is required
    defineConfig({ agents: [{ model: "scripted/keyword" }] });
  });
});

it.each<[string, string, string]>([
  [
    "unknown fields, with a suggestion",
    "export default {\n  agnets: [],\n};",
    "  file:2  agnets: unknown field: did you mean agents?",
  ],
  ["values of another type", 'export default {\n  port: "80",\n};', "  file:2  port: expected number"],
  [
    "two entries with one name",
    'const agent = { name: "a", model: "scripted/keyword" };\nexport default { agents: [agent, agent] };',
    "  file:2  agents: expected a different name for each entry",
  ],
  [
    "a syntax that types cannot be stripped from",
    "\nenum A { B }\nexport default {};",
    "file:2: TypeScript enum is not supported",
  ],
  ["wrong syntax", "export default {\n  agents: [,,],,\n};", "file:2: "],
  ["an exception", '\n\nthrow new Error("no key");', "file:3: no key"],
  ["an import that does not exist", 'import "./missing.ts";\nexport default {};', "file: Cannot find module"],
  ["no default export", "export const config = {};", "file: expected a default export"],
  ["functions", "export default { agents: [{ name: () => 1 }] };", 'file: expected data in "name", found a function'],
  [
    "a message of the file itself",
    'import { parentPort } from "node:worker_threads";\nparentPort.postMessage("hello");\nexport default { agnets: [] };',
    "  file:3  agnets: unknown field",
  ],
  ["the end of the process", "process.exit(0);", "file: it ended the process"],
])("the error names %s", async (_what, text, expected) => {
  expect(await faultOf(text)).toContain(expected);
});

it("a file that does not end is given up at once when the reading is aborted", async () => {
  const running = new BroadcastChannel(randomUUID());
  onTestFinished(() => running.close());
  const hasStarted = new Promise((resolve) => {
    running.onmessage = resolve;
  });
  const file = await written(`
    new BroadcastChannel("${running.name}").postMessage("started");
    setInterval(() => {}, 1_000);
    export default new Promise(() => {});
  `);
  const stopping = new AbortController();
  const loaded = loadConfig(file, stopping.signal);
  await hasStarted;
  stopping.abort();
  await expect(loaded).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});

it("is looked for by its names, unless one is named", async () => {
  expect(findConfig(undefined)).toBeUndefined();
  const file = await written("", "other.ts");
  expect(findConfig(file)).toBe(file);
  expect(() => findConfig(`${file}.missing`)).toThrow("does not exist");
});
