import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests run the sources; a plain name like "source" would also match packages that ship theirs.
  ssr: { resolve: { conditions: ["@yagate/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    env: { NODE_OPTIONS: "--conditions=@yagate/source", AI_SDK_LOG_WARNINGS: "false" },
  },
});
