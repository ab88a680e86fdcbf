import { configDefaults, defineConfig } from "vitest/config";

// These need the built packages: vitest.pack.config.ts and vitest.runtimes.config.ts.
const exclude = [...configDefaults.exclude, "test/pack/**", "test/runtimes/**"];

export default defineConfig({
  // Tests run the sources; a plain name like "source" would also match packages that ship theirs.
  ssr: { resolve: { conditions: ["@yagate/source"] } },
  test: {
    projects: [
      {
        extends: true,
        // Loading the sources takes longer than most of these tests, so files share processes, one after the other.
        test: {
          name: "rooms",
          include: ["packages/{protocol,handler,client,gateway}/test/**/*.test.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        // They start processes, or change what is the process's own.
        test: { name: "whole", include: ["packages/cli/test/**/*.test.ts", "{test,examples}/**/*.test.ts"], exclude },
      },
    ],
    pool: "forks",
    // Many wait for the time of a lease or of a server that starts, and not for a processor.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    allowOnly: false,
    expect: { requireAssertions: true },
    env: { NODE_OPTIONS: "--conditions=@yagate/source", AI_SDK_LOG_WARNINGS: "false" },
  },
});
