import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  // Tests run the sources; a plain name like "source" would also match packages that ship theirs.
  ssr: { resolve: { conditions: ["@yagate/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    // These need the built packages: vitest.pack.config.ts and vitest.runtimes.config.ts.
    exclude: [...configDefaults.exclude, "test/pack/**", "test/runtimes/**"],
    pool: "forks",
    // Many wait for the time of a lease or of a server that starts, and not for a processor.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    allowOnly: false,
    expect: { requireAssertions: true },
    env: { NODE_OPTIONS: "--conditions=@yagate/source", AI_SDK_LOG_WARNINGS: "false" },
  },
});
