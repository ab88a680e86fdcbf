import { globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";

const hmac = { "hmac.node": "src/signing/hmac.node.ts", "hmac.web": "src/signing/hmac.web.ts" };
const hints = { "errors/error-hints": "src/errors/error-hints.ts", "errors/no-hints": "src/errors/no-hints.ts" };

const entries = { index: "src/index.ts", calls: "src/calls.ts" };

const shared: Options = {
  target: "es2022",
  platform: "neutral",
  // Resolved where the package runs, by the conditions of "imports" in package.json.
  external: ["#hmac", "#error-hints", /^node:/],
  splitting: false,
  // Other runtimes than Node know its modules under their full name only.
  removeNodeProtocol: false,
};

/** One output file a module. Bundlers drop unused files, not unused schemas: in one file, whoever verifies pays for zod. */
const keepModules: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "keep-modules",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/\.ts$/, ".js"), external: true },
    );
  },
};

export default defineConfig(async () => {
  // Not tsup's own `clean`: the builds below run at once, and one would delete what another has written.
  await rm("dist", { recursive: true, force: true });
  const modules = globSync("src/**/*.ts", { exclude: (path) => path.includes("hmac") }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const outputs = modules.map((path) => [path.replace(/^src\/|\.ts$/g, ""), path]);
  return [
    { ...shared, entry: { ...hmac, ...Object.fromEntries(outputs) }, format: "esm", esbuildPlugins: [keepModules] },
    // For Node, which loads few files much faster than many.
    { ...shared, entry: entries, format: "esm", outDir: "dist/node", splitting: true },
    // In chunks, so that both entries have the same class of errors.
    { ...shared, entry: { ...hmac, ...hints, ...entries }, format: "cjs", splitting: true },
    { ...shared, entry: entries, format: ["esm", "cjs"], dts: { only: true } },
  ];
});
