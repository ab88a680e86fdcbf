import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { KEYS } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";
import { startGateway } from "../support/gateway.ts";
import { runWithInput } from "../support/run-with-input.ts";

/** A gateway with an execution that has ended, and the environment in which the command finds it. */
async function startWithExecution() {
  const { url, env } = await startGateway();
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const agent = await client.agents.create({
    name: "support",
    model: "scripted/keyword",
    tools: [{ builtin: "calculator" }],
  });
  const execution = await client.agents.execute(agent.id, { input: "What is 2 + 3?" });
  return { url, env, execution };
}

describe("yagate receipt", () => {
  it("prints a receipt, which verifies without the gateway, and no longer after a change", async () => {
    const { url, env, execution } = await startWithExecution();
    const printed = await runWithInput(["receipt", execution.id], env);
    expect(printed).toMatchObject({ status: 0 });
    const receipt = JSON.parse(printed.output);
    expect(receipt).toMatchObject({ executionId: execution.id, verified: true, isFinal: true });

    const text = await runWithInput(["receipt", execution.id, "--text"], env);
    expect(text.output).toMatch(/^Receipt of the execution exec_\w+\n\nCaller: {5}the bootstrap key\n/);

    const folder = await makeFolder();
    const file = join(folder, "receipt.json");
    await writeFile(file, printed.output);
    expect(await runWithInput(["receipt", "verify", file], env)).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^verified: /),
    });

    const keySet = join(folder, "jwks.json");
    const place = `${url}/.well-known/jwks/${receipt.workspaceId}.json`;
    await writeFile(keySet, await (await fetch(place)).text());
    expect(await runWithInput(["receipt", "verify", file, "--jwks", keySet], {})).toMatchObject({ status: 0 });

    await writeFile(file, (await readFile(file, "utf8")).replaceAll("2 + 3", "2 + 4"));
    expect(await runWithInput(["receipt", "verify", file, "--jwks", keySet], {})).toMatchObject({
      status: 1,
      output: expect.stringMatching(/^not verified: ENTRY_CHANGED\n[\s\S]*entry {6}1\n$/),
    });
  });

  it.each<[string, readonly string[], RegExp]>([
    ["without an execution", ["receipt"], /expected the id of an execution/],
    ["without a place for the key set", ["receipt", "verify", "receipt.json"], /expected --jwks/],
    [
      "for a file that is not there",
      ["receipt", "verify", "none.json", "--jwks", "none.json"],
      /none.json can't be read/,
    ],
    [
      "for a file that is no JSON",
      ["receipt", "verify", "text.txt", "--jwks", "receipt.json"],
      /expected JSON in \S+text.txt/,
    ],
    [
      "for JSON that is no receipt",
      ["receipt", "verify", "receipt.json", "--jwks", "receipt.json"],
      /JSON of a receipt/,
    ],
  ])("says what it needs %s", async (_what, args, message) => {
    const folder = await makeFolder();
    await writeFile(join(folder, "receipt.json"), "{}");
    await writeFile(join(folder, "text.txt"), "hello");
    const inFolder = args.map((arg) => (arg.includes(".") ? join(folder, arg) : arg));
    const { status, output } = await runWithInput(inFolder, {});
    expect(output).toMatch(message);
    expect(status).not.toBe(0);
  });
});
