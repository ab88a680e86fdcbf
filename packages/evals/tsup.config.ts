import { defineConfig } from "tsup";
import { bundledDeclarations } from "../../scripts/bundled-declarations.ts";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: ["esm", "cjs"],
  target: "node20",
  dts: bundledDeclarations(),
  clean: true,
  removeNodeProtocol: false,
});
