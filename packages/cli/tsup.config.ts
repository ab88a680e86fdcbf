import { defineConfig } from "tsup";

export default defineConfig({
  entry: { main: "src/main.ts", config: "src/config.ts" },
  format: ["esm"],
  target: "node22.19",
  dts: { entry: { config: "src/config.ts" } },
  clean: true,
  removeNodeProtocol: false,
});
