import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: ["esm", "cjs"],
  target: "node20",
  dts: true,
  clean: true,
  removeNodeProtocol: false,
});
