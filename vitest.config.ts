import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/** Loading the sources takes longer than most tests of these, so their files share processes, one after the other. */
const alwaysShared = ["packages/!(cli)/test/**/*.test.ts", "test/{architecture,docs-pages,e2e,verify}/**/*.test.ts"];
/** The extended tests of these have a process for each file: they start many processes of their own. */
const shared = [
  ...alwaysShared,
  "packages/cli/test/**/*.test.ts",
  "test/{scale,services}/**/*.test.ts",
  "examples/**/*.test.ts",
];
/** Too slow for `npm test`: `npm run test:extended` runs them. */
const extended = "**/*.extended.test.ts";
/** Everything else loads the sources into a process of its own, one for each file. */
const isolated = "{packages/*/test,test,examples}/**/*.test.ts";
/** A step of its own. */
const docsBlocks = ["test/docs-blocks/**/*.test.ts"];
// These need the built packages: vitest.pack.config.ts and vitest.runtimes.config.ts.
const others = ["test/pack/**", "test/runtimes/**"];

function onlyExtended(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => pattern.replace("*.test.ts", "*.extended.test.ts"));
}

export default defineConfig({
  // Tests run the sources; a plain name like "source" would also match packages that ship theirs.
  ssr: { resolve: { conditions: ["@yagate/source"] } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "shared", include: shared, exclude: [...configDefaults.exclude, extended], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: [isolated],
          exclude: [...configDefaults.exclude, ...shared, ...docsBlocks, ...others, extended],
        },
      },
      {
        extends: true,
        test: { name: "extended-shared", include: onlyExtended(alwaysShared), isolate: false },
      },
      {
        extends: true,
        test: {
          name: "extended-isolated",
          include: onlyExtended([isolated]),
          exclude: [...configDefaults.exclude, ...alwaysShared],
        },
      },
      { extends: true, test: { name: "docs-blocks", include: docsBlocks } },
    ],
    pool: "forks",
    // Many wait for the time of a lease or of a server that starts, and not for a processor.
    maxWorkers: 3,
    // They end only what hangs: a busy machine needs many times as long as an idle one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    allowOnly: false,
    // Vitest would wait for 1 s. A busy machine needs longer, and a poll that holds ends at once.
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    env: {
      NODE_OPTIONS: "--conditions=@yagate/source",
      AI_SDK_LOG_WARNINGS: "false",
      // Many tests start processes and threads from the sources: what was compiled once is kept.
      NODE_COMPILE_CACHE: fileURLToPath(new URL("./node_modules/.cache/yagate-compiled", import.meta.url)),
    },
  },
});
