import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    egress: "src/egress/index.ts",
    "local-search-worker": "src/search/local/local-worker.ts",
    "openapi-import-worker": "src/tools/rest/openapi/import-worker.ts",
  },
  format: ["esm"],
  target: "node22.19",
  dts: true,
  clean: true,
  // `node:sqlite` exists only under its full name.
  removeNodeProtocol: false,
});
