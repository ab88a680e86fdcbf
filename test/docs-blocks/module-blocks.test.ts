import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../scripts/command.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { stepEnvironment } from "../../scripts/step-environment.ts";
import { blockModules } from "./block-modules.ts";
import { codeBlocks } from "./code-blocks.ts";
import { blocksOfAllPages } from "./doc-pages.ts";
import { typeCheck } from "./type-check.ts";

const folder = join(repositoryRoot, ".cache", "docs-blocks");
const baseConfiguration = join(repositoryRoot, "tsconfig.base.json");
const modules = blockModules(blocksOfAllPages());
const named = modules.map((module) => ({ ...module, name: `${module.block.page}:${module.block.line}` }));

let problems: ReadonlyMap<string, readonly string[]>;
let workingFolder: string;

beforeAll(async () => {
  problems = await typeCheck(join(folder, "pages"), baseConfiguration, modules);
  workingFolder = await mkdtemp(join(tmpdir(), "yagate-docs-"));
}, 180_000);

afterAll(() => rm(workingFolder, { recursive: true }));

it.each(named)("$name compiles", ({ fileName }) => {
  expect(problems.get(fileName)).toEqual([]);
});

it.each(named.filter(({ isRun }) => isRun))(
  "$name runs",
  async ({ fileName }) => {
    const args = ["--conditions=@yagate/source", join(folder, "pages", fileName)];
    const running = runCommand(process.execPath, args, {
      cwd: workingFolder,
      env: stepEnvironment(),
      timeoutMs: 30_000,
    });
    await expect(running).resolves.toBeTypeOf("string");
  },
  40_000,
);

describe("the check of a block", () => {
  const check = async (markdown: string) => {
    const found = blockModules(codeBlocks("page.md", markdown));
    return [...(await typeCheck(join(folder, "self-test"), baseConfiguration, found)).values()].flat();
  };

  it("finds a wrong type, and names the page's line", async () => {
    expect(await check("# Page\n\n```ts\nconst a = 1;\nconst b: string = a;\n```\n")).toEqual([
      expect.stringMatching(/^page\.md:5: error TS2322/),
    ]);
  });

  it("finds an export that does not exist", async () => {
    expect(await check('```ts\nimport { missing } from "@yagate/protocol";\n```\n')).toEqual([
      expect.stringMatching(/^page\.md:2: error TS2305/),
    ]);
  });

  it("accepts JavaScript without annotations", async () => {
    expect(
      await check("```js\nconst first = (list) => list[0];\nprocess.exit(first(process.argv).length);\n```\n"),
    ).toEqual([]);
  });

  it("finds broken JavaScript", async () => {
    expect(await check("```js\nconst = 1;\n```\n")).toContainEqual(expect.stringMatching(/^page\.md:2: error TS1/));
  });

  it("lets a block go on with the one before, and names its own line", async () => {
    const first = "```ts\nconst a = 1;\n```\n";
    expect(await check(`${first}\n\`\`\`ts continues\nexport const b: number = a;\n\`\`\`\n`)).toEqual([]);
    expect(await check(`${first}\n\`\`\`ts continues\nexport const b: string = a;\n\`\`\`\n`)).toEqual([
      expect.stringMatching(/^page\.md:6: error TS2322/),
    ]);
    expect(await check(`${first}\n\`\`\`ts\nexport const b: number = a;\n\`\`\`\n`)).toHaveLength(1);
  });

  it("gives blocks for browsers a document and nothing of Node, and others the opposite", async () => {
    const [page, process] = ["export const { title } = document;\n", "export const { argv } = process;\n"];
    expect(await check(`\`\`\`ts browser\n${page}\`\`\`\n\n\`\`\`ts\n${process}\`\`\`\n`)).toEqual([]);
    expect(await check(`\`\`\`ts\n${page}\`\`\`\n\n\`\`\`ts browser\n${process}\`\`\`\n`)).toEqual([
      expect.stringMatching(/^page\.md:2: error TS2\d+: Cannot find name 'document'/),
      expect.stringMatching(/^page\.md:6: error TS2\d+: Cannot find name 'process'/),
    ]);
  });

  it("refuses to continue a block of another kind", () => {
    const both = codeBlocks("page.md", "```ts\n```\n```ts continues browser\n```\n");
    expect(() => blockModules(both)).toThrow("page.md:4: there is no browser block before it to continue");
  });

  it.each([
    ["a mark that means nothing", "```ts norun\n```\n"],
    ["nothing to continue", "```ts continues\n```\n"],
  ])("refuses %s", (_name, markdown) => {
    expect(() => blockModules(codeBlocks("page.md", markdown))).toThrow(/^page\.md:2: /);
  });
});
