import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../scripts/command.ts";
import { installedTool } from "../../scripts/installed-tool.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { stepEnvironment } from "../../scripts/step-environment.ts";
import { blockModules } from "./block-modules.ts";
import { blocksOfAllPages } from "./doc-pages.ts";

const apiKey = `yk_${"0123456789abcdef".repeat(2)}`;
const folder = join(repositoryRoot, ".cache", "docs-blocks", "runner");
const tests = blockModules(blocksOfAllPages()).filter(({ isTest }) => isTest);
const named = tests.map((module) => ({ ...module, name: `${module.block.page}:${module.block.line}` }));

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

// Jest's functions that the pages use are Vitest's; the realms that it adds are tested where they matter.
const CONFIGURATION = `export default {
  root: ${JSON.stringify(folder)},
  resolve: { alias: { "@jest/globals": "vitest" } },
  ssr: { resolve: { conditions: ["@yagate/source"] } },
  test: { include: ["*.test.ts"], maxWorkers: 1, isolate: true },
};
`;

let results: z.infer<typeof reportSchema>["testResults"];

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "vitest.config.mjs"), CONFIGURATION);
  // Some tests of the pages use a gateway that is already running.
  const gateway = createGateway({ port: 0, dataDir: join(folder, "data"), apiKey, logLevel: "silent" });
  const { url } = await gateway.start();
  for (const { fileName, text } of tests) await writeFile(join(folder, fileName.replace(".ts", ".test.ts")), text);
  const report = join(folder, "report.json");
  const options = ["--config", join(folder, "vitest.config.mjs"), "--reporter=json", `--outputFile=${report}`];
  const running = runCommand(process.execPath, [installedTool("vitest"), "run", ...options], {
    cwd: folder,
    env: { ...stepEnvironment(), YAGATE_BASE_URL: url, YAGATE_API_KEY: apiKey },
    timeoutMs: 240_000,
  });
  // It fails when a test does, which the report says better.
  await running.catch(() => {});
  await gateway.stop();
  results = reportSchema.parse(JSON.parse(await readFile(report, "utf8"))).testResults;
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the pages' tests", () => {
  it("are there", () => {
    expect(named.length).toBeGreaterThan(3);
  });

  it.each(named)("$name passes", ({ fileName }) => {
    const result = results.find(({ name }) => name.endsWith(fileName.replace(".ts", ".test.ts")));
    expect(result?.status).toBe("passed");
    expect(result?.assertionResults.length).toBeGreaterThan(0);
    expect(result?.assertionResults.filter(({ status }) => status !== "passed")).toEqual([]);
  });
});
