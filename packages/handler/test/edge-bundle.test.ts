import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

async function bundle(entry: string) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: ["@yagate/source", "worker"],
    external: ["zod"],
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports);
  return {
    foreign: new Set(imports.filter(({ external }) => external).map(({ path }) => path)),
    inputs: Object.keys(result.metafile.inputs),
    gzippedBytes: gzipSync(result.outputFiles[0]?.contents ?? "").byteLength,
  };
}

describe.each(["index.ts", "fetch.ts", "callback.ts"])("%s, bundled for an edge runtime", (entry) => {
  it("needs nothing but zod, takes Web Crypto, and is smaller than 10 KB", async () => {
    const { foreign, inputs, gzippedBytes } = await bundle(entry);
    expect([...foreign]).toEqual(["zod"]);
    expect(inputs.some((path) => path.endsWith("hmac.web.ts"))).toBe(true);
    expect(inputs.some((path) => path.endsWith("hmac.node.ts"))).toBe(false);
    expect(gzippedBytes).toBeLessThan(10_240);
    expect(gzippedBytes).toBeGreaterThan(1_000);
  });
});
