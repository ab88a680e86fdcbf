import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { chooseTools } from "../../src/sources/choose-tools.ts";

const NAMES = ["lookup", "refund", "n"];
const TOOLS = NAMES.map((name) => ({ name, toolName: `shop.${name}` }));

async function choose(typed: string | undefined) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const choosing = chooseTools(TOOLS, { isInteractive: true, input, output });
  input.end(typed);
  const chosen = (await choosing).map(({ name }) => name);
  output.end();
  return { chosen, asked: await text(output) };
}

it.each<[string | undefined, readonly string[]]>([
  ["all\n", NAMES],
  ["Y\n", NAMES],
  ["\n", []],
  ["none\n", []],
  ["n\n", ["n"]],
  ["refund, lookup refund\n", ["lookup", "refund"]],
  ["shop.refund\n", ["refund"]],
  [undefined, []],
])("the answer %j chooses %j", async (typed, expected) => {
  const { chosen, asked } = await choose(typed);
  expect(chosen).toEqual(expected);
  expect(asked).toBe("Accept which tools? all, names, or none [none] ");
});

it("asks again after a name that no tool has", async () => {
  const { chosen, asked } = await choose("refnd\nrefund\n");
  expect(chosen).toEqual(["refund"]);
  expect(asked).toContain("There is no tool refnd.\nAccept which tools?");
});
