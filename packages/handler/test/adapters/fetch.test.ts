import { expect, it } from "vitest";
import { z } from "zod";
import { toolHandler } from "../../src/fetch.ts";
import { callTool } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { outcomeOf } from "../support/outcome.ts";
import { call } from "../support/tools.ts";

const tool = {
  name: "double",
  description: "Doubles a number.",
  parameters: z.object({ value: z.number() }),
  execute: ({ value }: { value: number }) => value * 2,
};

it("one tool is a function from Request to Response", async () => {
  const handler = toolHandler({ secrets: SECRET, ...tool });
  expect((await callTool(handler, call({ name: "double", parameters: { value: 21 } }))).result).toBe(42);
});

it("a tool is not made without a secret", async () => {
  expect(await outcomeOf(() => toolHandler({ secrets: "", ...tool }))).toBe("SECRET_INVALID");
});
