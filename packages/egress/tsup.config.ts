import { defineConfig } from "tsup";
import { bundledDeclarations } from "../../scripts/bundled-declarations.ts";

export default defineConfig({
  entry: { index: "src/index.ts", internal: "src/internal.ts" },
  format: ["esm"],
  target: "node22.19",
  dts: bundledDeclarations(),
  clean: true,
  // Other tools know modules of Node under their full names only.
  removeNodeProtocol: false,
});
