import { defineConfig } from "vitest/config";

// Apart from the other tests, because these need the built packages.
export default defineConfig({
  test: {
    include: ["test/pack/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { requireAssertions: true },
  },
});
