import { expect, it } from "vitest";
import { z } from "zod";
import { toolHandler } from "../../src/fetch.ts";
import { callTool, describeTools } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { outcomeOf } from "../support/outcome.ts";
import { call } from "../support/tools.ts";

const tool = {
  name: "double",
  description: "Doubles a number.",
  parameters: z.object({ value: z.number() }),
  sideEffect: "read_only",
  timeout: 2_000,
  usageNotes: "Not for sums.",
  execute: ({ value }: { value: number }) => value * 2,
} as const;

it("one tool is a function from Request to Response", async () => {
  const handler = toolHandler({ secrets: SECRET, ...tool });
  expect((await callTool(handler, call({ name: "double", parameters: { value: 21 } }))).result).toBe(42);
  expect((await describeTools(handler, { secret: SECRET })).tools).toEqual([
    {
      name: "double",
      description: "Doubles a number.",
      parameters: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
      sideEffect: "read_only",
      timeout: 2_000,
      usageNotes: "Not for sums.",
    },
  ]);
});

it("a tool is not made without a secret", async () => {
  expect(await outcomeOf(() => toolHandler({ secrets: "", ...tool }))).toBe("SECRET_INVALID");
});
