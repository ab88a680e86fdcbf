import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

function bundle() {
  return build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: ["@yagate/source"],
    metafile: true,
    write: false,
    logLevel: "silent",
  });
}

describe("the package, bundled for browsers", () => {
  let result: Awaited<ReturnType<typeof bundle>>;

  beforeAll(async () => {
    result = await bundle();
  });

  it("needs nothing of Node", () => {
    const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports);
    const inputs = Object.keys(result.metafile.inputs);

    expect(result.warnings).toEqual([]);
    expect(imports.filter((each) => each.external || each.path.startsWith("node:"))).toEqual([]);
    expect(inputs.some((path) => path.endsWith("packages/client/src/yagate.ts"))).toBe(true);
    expect(inputs.filter((path) => path.includes("node_modules") && !path.includes("node_modules/zod/"))).toEqual([]);
  });

  it("holds none of zod's locales but English", () => {
    const inputs = Object.values(result.metafile.outputs).flatMap((output) => Object.entries(output.inputs));
    const locales = inputs.filter(([path, { bytesInOutput }]) => path.includes("/locales/") && bytesInOutput > 0);
    expect(locales.map(([path]) => path.split("/").at(-1))).toEqual(["en.js"]);
  });

  // Measured with zod 4.6.7 and esbuild 0.28.2: 209 180 bytes, 61 938 of them left by gzip. With the locales it was 3 times as much.
  it("is at most 212 000 bytes, and 63 000 compressed", () => {
    const contents = result.outputFiles[0]?.contents ?? new Uint8Array();
    expect(contents.byteLength).toBeGreaterThan(50_000);
    expect(contents.byteLength).toBeLessThanOrEqual(212_000);
    expect(gzipSync(contents).byteLength).toBeLessThanOrEqual(63_000);
  });
});
