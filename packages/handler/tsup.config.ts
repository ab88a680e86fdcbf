import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    callback: "src/callback.ts",
    express: "src/express.ts",
    fastify: "src/fastify.ts",
    fetch: "src/fetch.ts",
    lambda: "src/lambda.ts",
    node: "src/node.ts",
    postgres: "src/postgres.ts",
    redis: "src/redis.ts",
    sqlite: "src/sqlite.ts",
    testing: "src/testing.ts",
    "development/aids": "src/development/aids.ts",
    "development/no-aids": "src/development/no-aids.ts",
  },
  // Resolved where the package runs, by the conditions of "imports" in package.json.
  external: ["#development"],
  format: ["esm", "cjs"],
  target: "node20",
  dts: true,
  clean: true,
  // Without this each CommonJS subpath would carry its own copy of every class, and `instanceof` would fail between them.
  splitting: true,
  removeNodeProtocol: false,
});
