import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

async function bundle(entry: string, external: string[]) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: ["@yagate/source", "worker"],
    external,
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
  it("needs nothing but zod, takes Web Crypto, and is smaller than 10 KB", async () => {
    const { foreign, inputs, gzippedBytes } = await bundle(entry, ["zod"]);
    expect([...foreign]).toEqual(["zod"]);
    expect(inputs.some((path) => path.endsWith("hmac.web.ts"))).toBe(true);
    expect(inputs.some((path) => path.endsWith("hmac.node.ts"))).toBe(false);
    expect(gzippedBytes).toBeLessThan(10_240);
    expect(gzippedBytes).toBeGreaterThan(1_000);
  });

  it("reads no schemas of the HTTP API, which take most of the time to load", async () => {
    const { inputs } = await bundle(entry, ["zod"]);
    const schemas = inputs.filter((path) => path.includes("protocol/src/schemas/")).map((path) => basename(path));
    expect(schemas.sort()).toEqual(["handler-error-code.ts", "handler-error.ts", "json.ts", "tool-name.ts"]);
  });

  it("carries no hints, and the status of each code", async () => {
    const { text, written } = await bundle(entry, ["zod"]);
    expect(written.filter((path) => /error-(hints|traits|table)\.ts$/.test(path))).toEqual([
      expect.stringMatching(/error-traits\.ts$/),
    ]);
    expect(text).toContain("CREDENTIAL_LEAK:{status:403");
  });
});

// Measured with zod 4.6.7 and esbuild 0.28.2: 103 371 bytes, 32 083 of them left by gzip.
it("a handler with zod, bundled for an edge runtime, is at most 110 000 bytes, and 34 000 compressed", async () => {
  const { bytes, gzippedBytes } = await bundle("index.ts", []);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(110_000);
  expect(gzippedBytes).toBeLessThanOrEqual(34_000);
});
