import { defineConfig } from "vitest/config";

// Apart from the other tests, because these need the built packages and what is installed in this folder.
export default defineConfig({
  test: {
    include: ["test/runtimes/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
    expect: { requireAssertions: true },
  },
});
