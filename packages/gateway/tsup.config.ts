import { defineConfig } from "tsup";
import { bundledDeclarations } from "../../scripts/bundled-declarations.ts";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    egress: "src/egress.ts",
    "local-search-worker": "../builtins/src/search/local/local-worker.ts",
    "document-reader-worker": "../builtins/src/web/reading/reader-worker.ts",
    "openapi-import-worker": "../tool-definitions/src/openapi/import-worker.ts",
    "extractive-worker": "../builtins/src/text-summarizer/extractive/extractive-worker.ts",
    "json-validator-worker": "../builtins/src/json-validator/json-validator-worker.ts",
  },
  format: ["esm"],
  target: "node22.19",
  dts: bundledDeclarations(),
  clean: true,
  // `node:sqlite` exists only under its full name.
  removeNodeProtocol: false,
});
