import { spawn } from "node:child_process";
import { once } from "node:events";
import { Validator } from "@cfworker/json-schema";
import { expect, it } from "vitest";
import { COMMANDS } from "../src/commands/commands.ts";
import type { CommandSpec } from "../src/frame/command-spec.ts";
import { outputSchema } from "../src/output-schema.ts";
import { COMPILED, MAIN } from "./support/command.ts";
import { openWorld } from "./support/example-world.ts";

/**
 * What runs in tests of its own: servers, a database, another machine, a handler that is attacked, a terminal's profile,
 * an MCP server that requires a sign-in or that a gateway must reach, a tool call that waits for input, a workspace for development,
 * evals and their cassettes, a command that only Ctrl+C stops.
 */
const ELSEWHERE =
  /yagate (?:dev|serve|listen|migrate|login|sources login|inputs (?:show|answer)|calls send|eval)\b|yagate approvals watch$|(?:staging|mcp)\.example\.com|yagate conformance http|--attempt|firecrawl/;
/** Where the answer depends on the machine, or is no: a handler rejects a changed call, and has no other tool. */
const MAY_BE_NO = /yagate (?:egress check|doctor|trigger refund)|--tamper/;

interface Example {
  readonly text: string;
  readonly command: string;
  readonly spec: CommandSpec;
}

/** Every example, below the command that it runs. */
function examplesOf(specs: readonly CommandSpec[], parents: readonly string[] = []): readonly Example[] {
  return specs.flatMap((spec) => {
    const path = [...parents, spec.name];
    // Those of a group are examples of its commands, or like them.
    const own = spec.run === undefined ? [] : spec.examples;
    return [...own.map((text) => ({ text, command: path.join(" "), spec })), ...examplesOf(spec.commands ?? [], path)];
  });
}

const EXAMPLES = examplesOf(COMMANDS).filter(({ text }) => !ELSEWHERE.test(text));
const SCHEMA = JSON.parse(outputSchema());

async function runInShell(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  const program = `yagate() { '${process.execPath}' '${MAIN}' "$@"; }\n${script}`;
  const child = spawn("bash", ["-c", program], {
    cwd,
    env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => {
    texts.stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    texts.stderr += data.toString();
  });
  const [status] = await once(child, "close");
  return { status: Number(status), ...texts };
}

/** The same command with `--json` and without a place to write to. */
function asJson({ text, command }: Example): string {
  const plain = text.replace(/^eval "\$\((.*)\)"$/, "$1").replace(/ > \S+$/, "");
  return plain.includes("--json") ? plain : plain.replace(`yagate ${command}`, `yagate ${command} --json`);
}

function documentsIn(stdout: string, { output }: CommandSpec): readonly unknown[] {
  const texts = output?.isStream === true ? stdout.trimEnd().split("\n").filter(Boolean) : [stdout];
  return texts.map((text): unknown => JSON.parse(text));
}

const GROUPS = [...Map.groupBy(EXAMPLES, ({ command }) => command.split(" ")[0] ?? "")];

it.each(GROUPS)(
  "every example of yagate %s runs in a shell, and what it prints as JSON fits the published schema",
  {
    timeout: 590_000,
  },
  async (_command, examples) => {
    const { cwd, env, prepare } = await openWorld();
    for (const example of examples) {
      const { text, command, spec } = example;
      const own = command.startsWith("approvals") ? { ...env, YAGATE_API_KEY: env["APPROVER_KEY"] ?? "" } : env;
      const expected = MAY_BE_NO.test(text) ? [0, 1] : [0];
      const { status, stderr } = await runInShell(await prepare(text), cwd, own);
      expect(expected, `${text}\n${stderr}`).toContain(status);

      const json = await runInShell(await prepare(asJson(example)), cwd, own);
      expect(expected, `${asJson(example)}\n${json.stderr}`).toContain(json.status);
      const validator = new Validator({ ...SCHEMA, $ref: `#/$defs/${spec.output?.schema}` }, "2020-12");
      for (const document of documentsIn(json.stdout, spec)) {
        expect(validator.validate(document).errors, asJson(example)).toEqual([]);
      }
    }
  },
);

it("the examples are of every command that runs nowhere else", () => {
  expect(EXAMPLES.length).toBeGreaterThan(60);
});
