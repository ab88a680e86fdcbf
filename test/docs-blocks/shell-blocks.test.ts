import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../scripts/command.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { stepEnvironment } from "../../scripts/step-environment.ts";
import { workspacePackages } from "../../scripts/workspace-packages.ts";
import { blocksOfAllPages } from "./doc-pages.ts";
import { shellCommands } from "./shell-commands.ts";
import { type KnownCommands, shellProblem } from "./shell-problem.ts";

const PROGRAMS = ["cd", "curl", "docker", "echo", "export", "git", "go", "jq", "mkdir", "node", "openssl", "php"];
const MORE_PROGRAMS = ["cp", "eval", "sudo", "createdb", "pg_dump", "pg_restore", "printf", "python3", "ruby"];

async function knownCommands(): Promise<KnownCommands> {
  const manifest: unknown = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  return {
    programs: [...PROGRAMS, ...MORE_PROGRAMS],
    scripts: Object.keys(z.object({ scripts: z.record(z.string(), z.string()) }).parse(manifest).scripts),
    packages: workspacePackages().map(({ name }) => name),
    yagate: await yagateCommands(),
  };
}

const treeSchema = z.object({ commands: z.array(z.object({ command: z.string() })) });

/** The commands that `yagate help --json` lists. */
async function yagateCommands(): Promise<readonly string[]> {
  const args = [
    "--conditions=@yagate/source",
    join(repositoryRoot, "packages", "cli", "src", "main.ts"),
    "help",
    "--json",
  ];
  const tree = treeSchema.parse(JSON.parse(await runCommand(process.execPath, args, { env: stepEnvironment() })));
  return tree.commands.map(({ command }) => command);
}

it("every command in a sh block exists", async () => {
  const known = await knownCommands();
  expect(known.yagate).toEqual(expect.arrayContaining(["dev", "serve"]));
  const problems = blocksOfAllPages()
    .filter(({ language }) => language === "sh")
    .flatMap(({ page, line, text }) =>
      shellCommands(text).flatMap((words) => {
        const problem = shellProblem(words, known);
        return problem === undefined ? [] : [`${page}:${line}: ${problem}`];
      }),
    );
  expect(problems).toEqual([]);
});

describe("the check of a command", () => {
  const known = { programs: ["curl"], scripts: ["demo"], packages: ["@yagate/client"], yagate: ["dev"] };

  it.each([
    "npm ci && npm run demo",
    "npm install @yagate/client zod",
    "YAGATE_PORT=4821 npx @yagate/cli dev --port 1",
    "npx @yagate/cli --version",
    "NAME=value",
    "# a comment\ncurl -s 'https://a.example/?b=1&c=2' | curl -d \"a; b\" \\\n  https://b.example",
  ])("accepts %s", (text) => {
    expect(shellCommands(text).map((words) => shellProblem(words, known))).not.toContainEqual(expect.anything());
  });

  it.each([
    ["npm run missing", 'there is no script "missing"'],
    ["npm ci && frobnicate", 'there is no command "frobnicate"'],
    ["npm install @yagate/missing", "there is no package @yagate/missing"],
    ["npm frobnicate", 'there is no command "npm frobnicate" that a page needs'],
    ["npx frobnicate", 'there is no command "frobnicate"'],
    ["KEY=1 npx @yagate/cli missing", 'there is no command "yagate missing"'],
    ["yagate dev", "yagate is not on the path of each reader: write npx @yagate/cli"],
    ["npx yagate dev", "npx yagate runs a stranger's package outside of a project: write npx @yagate/cli"],
    ["$ npm ci", 'there is no command "$"'],
    ["curl x | frobnicate", 'there is no command "frobnicate"'],
  ])("refuses %s", (text, problem) => {
    expect(shellCommands(text).map((words) => shellProblem(words, known))).toContain(problem);
  });
});
