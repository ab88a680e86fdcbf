import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

describe("the package, bundled for browsers", () => {
  it("needs nothing of Node", async () => {
    const result = await build({
      entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: ["@yagate/source"],
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const imports = Object.values(result.metafile.inputs).flatMap((input) => input.imports);
    const inputs = Object.keys(result.metafile.inputs);

    expect(result.warnings).toEqual([]);
    expect(imports.filter((each) => each.external || each.path.startsWith("node:"))).toEqual([]);
    expect(inputs.some((path) => path.endsWith("packages/client/src/yagate.ts"))).toBe(true);
    expect(inputs.filter((path) => path.includes("node_modules") && !path.includes("node_modules/zod/"))).toEqual([]);
  });
});
