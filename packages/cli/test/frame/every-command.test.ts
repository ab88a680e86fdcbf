import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { createGateway } from "@yagate/gateway";
import { afterAll, expect, it } from "vitest";
import { COMMANDS } from "../../src/commands/commands.ts";
import type { CommandSpec } from "../../src/frame/command-spec.ts";
import { EXIT } from "../../src/frame/exit-status.ts";
import { KEYS, NO_PROFILES, startCommand } from "../support/command.ts";
import { runHere } from "../support/run-here.ts";

interface Leaf {
  readonly path: readonly string[];
  readonly spec: CommandSpec;
}

function leavesOf(specs: readonly CommandSpec[], parents: readonly string[] = []): readonly Leaf[] {
  return specs.flatMap((spec) => {
    const path = [...parents, spec.name];
    const own = spec.run === undefined ? [] : [{ path, spec }];
    return [...own, ...leavesOf(spec.commands ?? [], path)];
  });
}

/** These run until a signal stops them: the last test is about them. */
const ENDLESS = ["dev", "serve", "listen", "mcp", "approvals watch", "executions follow"];
const leaves = leavesOf(COMMANDS).filter(({ path }) => !ENDLESS.includes(path.join(" ")));

/** The words of the first example of a command, up to a redirection. */
function exampleOf({ path, spec }: Leaf): readonly string[] {
  const wanted = `yagate ${path.join(" ")}`;
  const example = spec.examples.find((text) => text.startsWith(wanted)) ?? wanted;
  const words = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
  const end = words.findIndex((word) => /^[<>|;]/.test(word));
  return words.slice(1, end === -1 ? undefined : end);
}

const folder = await mkdtemp(join(tmpdir(), "yagate-every-command-"));
const apiKey = KEYS.YAGATE_API_KEY;
const gateway = createGateway({ port: 0, dataDir: join(folder, "data"), apiKey, logLevel: "silent" });
const { url } = await gateway.start();
const env = {
  ...{ ...NO_PROFILES, YAGATE_BASE_URL: url, YAGATE_API_KEY: apiKey },
  YAGATE_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
};
const home = process.cwd();

afterAll(async () => {
  process.chdir(home);
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

it.each(leaves.map((leaf) => [leaf.path.join(" "), leaf] as const))(
  "yagate %s asks nothing without a terminal, and prints no escape sequence",
  async (path, leaf) => {
    const work = join(folder, path.replaceAll(" ", "-"));
    await mkdir(work);
    process.chdir(work);
    for (const options of [[], ["--json"]]) {
      const { status, output } = await runHere([...exampleOf(leaf), ...options], { env, input: "" });
      expect(output).not.toContain("\u001b");
      expect(Object.values(EXIT)).toContain(status);
      expect(status, output).not.toBe(EXIT.defect);
    }
  },
);

/** Starts an execution that waits for an approval. */
async function startWaiting(): Promise<{ readonly agentId: string; readonly executionId: string }> {
  const client = new Yagate({ baseUrl: url, apiKey });
  const { id: agentId } = await client.agents.create({
    ...{ name: "Waiting", model: "scripted/turns", policy: { approval: "always" } },
    tools: [{ builtin: "calculator" }],
  });
  const toolCalls = [{ name: "calculator", parameters: { expression: "6*7" } }];
  const { id: executionId } = await client.agents.start(agentId, {
    ...{ input: "6*7?", script: { turns: [{ toolCalls }, { text: "42" }] } },
  });
  return { agentId, executionId };
}

it("commands that run until a signal end within 2 s after SIGINT, with status 130 or, after a clean stop, 0", async () => {
  const { executionId } = await startWaiting();
  const rows: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["listen", "--port", "0"], EXIT.interrupted, /Listens on/],
    [["approvals", "watch"], EXIT.interrupted, /apr_/],
    [["executions", "follow", executionId], EXIT.interrupted, /calculator/],
    [["dev", "--port", "0", "--no-demo", "--data-dir", join(folder, "dev")], EXIT.done, /Ctrl\+C stops/],
  ];
  const ended = await Promise.all(
    rows.map(async ([words, , ready]) => {
      const command = startCommand(words, { env });
      await command.until(ready);
      const at = performance.now();
      const status = await command.stop("SIGINT");
      return { words, status, isSoon: performance.now() - at < 2_000, output: command.output() };
    }),
  );
  expect(ended.map(({ words, status, isSoon }) => [words[0], status, isSoon])).toEqual(
    rows.map(([words, status]) => [words[0], status, true]),
  );
  for (const { output } of ended) expect(output).not.toContain("\u001b");
});
