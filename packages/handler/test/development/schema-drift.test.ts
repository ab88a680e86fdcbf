import { schemaHash } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createSchemaDriftCheck } from "../../src/development/schema-drift.ts";
import { defineTool, type Tool } from "../../src/index.ts";
import { callTool } from "../../src/testing.ts";
import { parseCall } from "../support/calls.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { call, handlerOf, toolThat, typedTool } from "../support/tools.ts";

const saved = {
  type: "object",
  properties: { orderId: { type: "string" } },
  required: ["orderId"],
};
const inAnotherOrder = { required: ["orderId"], properties: { orderId: { type: "string" } }, type: "object" };
const asJsonSchema: Tool = { ...toolThat(() => null), parameters: inAnotherOrder };
const asZod = defineTool({ ...toolThat(() => null), parameters: z.object({ orderId: z.string() }) });
const withoutJsonForm = defineTool({ ...toolThat(() => null), parameters: z.object({ at: z.date().optional() }) });

async function warnings(tool: Tool, schema: unknown) {
  const logger = createRecordingLogger();
  const check = createSchemaDriftCheck(logger);
  const schemaHashes = schema === undefined ? {} : { schemaHash: await schemaHash(schema) };
  for (const attempt of [1, 2]) await check(tool, parseCall("{}", { ...schemaHashes, attempt }));
  return logger.lines;
}

describe("parameters that are not the saved ones", () => {
  it.each([
    ["a JSON Schema", asJsonSchema],
    ["a Zod schema", asZod],
    ["a Zod schema with defaults", typedTool],
  ])("are named once in the log: %s", async (_name, tool) => {
    expect(await warnings(tool, { type: "object" })).toMatchObject([
      { level: "warn", fields: { tool: "lookup_order" } },
    ]);
  });
});

describe("no warning", () => {
  it.each<[string, Tool, unknown]>([
    ["for the same JSON Schema in another order", asJsonSchema, saved],
    ["for a Zod schema that says the same", asZod, saved],
    ["for a Zod schema that has no JSON form", withoutJsonForm, {}],
    ["for a call that does not say what was saved", asJsonSchema, undefined],
  ])("%s", async (_name, tool, schema) => {
    expect(await warnings(tool, schema)).toEqual([]);
  });
});

it("a handler looks for it in development, and answers all the same", async () => {
  const { handler, logger } = handlerOf(asZod, { isDevelopment: true });
  const answer = await callTool(handler, call({ schemaHash: "sha256:00" }));
  await expect.poll(() => logger.lines).toMatchObject([{ level: "warn", fields: { tool: "lookup_order" } }]);
  expect(answer.result).toBeNull();
});
