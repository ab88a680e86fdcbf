import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { describe, expect, it } from "vitest";

/** Leaves out what is loaded at the first describe request, as bundlers do that split code. */
const splitOff: Plugin = {
  name: "split-off",
  setup(build) {
    build.onResolve({ filter: /\/describe\// }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

async function bundle(entry: string, external: string[], plugins: Plugin[] = []) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: ["@yagate/source", "worker"],
    external,
    plugins,
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports);
  const contents = result.outputFiles[0]?.contents ?? new Uint8Array();
  return {
    foreign: new Set(imports.filter(({ external }) => external).map(({ path }) => path)),
    inputs: Object.keys(result.metafile.inputs),
    written: Object.values(result.metafile.outputs).flatMap((output) =>
      Object.keys(output.inputs).filter((path) => (output.inputs[path]?.bytesInOutput ?? 0) > 0),
    ),
    text: new TextDecoder().decode(contents),
    bytes: contents.byteLength,
    gzippedBytes: gzipSync(contents).byteLength,
  };
}

describe.each(["index.ts", "fetch.ts", "callback.ts"])("%s, bundled for an edge runtime", (entry) => {
  // 10 205 bytes before tools had call options and `at`: 11 004 with them, and 12 222 with what describes a handler.
  it("needs nothing but zod, takes Web Crypto, and is smaller than 11.25 KB, and than 12.5 KB with what describes", async () => {
    const { foreign, inputs, gzippedBytes } = await bundle(entry, ["zod"]);
    expect([...foreign]).toEqual(["zod"]);
    expect(inputs.some((path) => path.endsWith("hmac.web.ts"))).toBe(true);
    expect(inputs.some((path) => path.endsWith("hmac.node.ts"))).toBe(false);
    expect(gzippedBytes).toBeLessThan(12_500);
    const forCalls = await bundle(entry, ["zod"], [splitOff]);
    expect(forCalls.gzippedBytes).toBeLessThan(11_250);
    expect(forCalls.gzippedBytes).toBeGreaterThan(1_000);
  });

  it("reads for calls no schemas of the HTTP API, which take most of the time to load", async () => {
    const { inputs } = await bundle(entry, ["zod"], [splitOff]);
    const schemas = inputs.filter((path) => path.includes("protocol/src/schemas/")).map((path) => basename(path));
    expect(schemas.sort()).toEqual([
      "declared-options.ts",
      "handler-error-code.ts",
      "handler-error.ts",
      "json.ts",
      "side-effect.ts",
      "tool-name.ts",
    ]);
  });

  it("carries no schema of a manifest", async () => {
    const { written } = await bundle(entry, ["zod"]);
    expect(written.filter((path) => /tool-manifest|describe-request|parse-manifest/.test(path))).toEqual([]);
  });

  it("carries no hints, and the status of each code", async () => {
    const { text, written } = await bundle(entry, ["zod"]);
    expect(written.filter((path) => /error-(hints|traits|table)\.ts$/.test(path))).toEqual([
      expect.stringMatching(/error-traits\.ts$/),
    ]);
    expect(text).toContain("CREDENTIAL_LEAK:{status:403");
  });
});

// Measured with zod 4.6.7 and esbuild 0.28.2: 131 615 bytes, 40 870 of them left by gzip. Without JSON Schema, which a
// handler generates from zod's schemas to describe its tools, it was 103 371 bytes and 32 083.
it("a handler with zod, bundled for an edge runtime, is at most 140 000 bytes, and 45 000 compressed", async () => {
  const { bytes, gzippedBytes } = await bundle("index.ts", []);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(140_000);
  expect(gzippedBytes).toBeLessThanOrEqual(45_000);
});
