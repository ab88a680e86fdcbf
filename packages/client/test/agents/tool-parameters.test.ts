import type { CreateAgent } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import type { HandlerToolInput, ToolParameters } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { agentRecord } from "../support/records.ts";
import { json, startScriptedGateway } from "../support/scripted-gateway.ts";

const tool = (parameters: ToolParameters): HandlerToolInput => ({
  name: "lookup_order",
  description: "Looks an order up",
  parameters,
  handler: "https://orders.example/tools",
});

async function sentTools(parameters: ToolParameters): Promise<unknown> {
  const gateway = await startScriptedGateway({ "POST /v1/agents": json(201, agentRecord()) });
  await clientOf(gateway).agents.create({ name: "a", model: "scripted/keyword", tools: [tool(parameters)] });
  return gateway.seen[0]?.body;
}

describe("parameters of a tool", () => {
  it.each<[string, ToolParameters, unknown]>([
    [
      "a JSON Schema, as it is",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { a: { type: "string" } },
      },
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { a: { type: "string" } },
      },
    ],
    [
      "a Zod object",
      z.object({ orderId: z.string().describe("such as ORD-1"), days: z.int().min(1).max(30).optional() }),
      {
        type: "object",
        properties: {
          orderId: { type: "string", description: "such as ORD-1" },
          days: { type: "integer", minimum: 1, maximum: 30 },
        },
        required: ["orderId"],
      },
    ],
    [
      "what a caller may send, not what parsing makes of it",
      z.object({ count: z.number().default(3), length: z.string().transform((text) => text.length) }),
      {
        type: "object",
        properties: { count: { type: "number", default: 3 }, length: { type: "string" } },
        required: ["length"],
      },
    ],
    [
      "a strict Zod object",
      z.strictObject({ unit: z.enum(["km", "mi"]) }),
      {
        type: "object",
        properties: { unit: { type: "string", enum: ["km", "mi"] } },
        required: ["unit"],
        additionalProperties: false,
      },
    ],
    [
      "nested objects and arrays",
      z.object({ lines: z.array(z.object({ sku: z.string() })) }),
      {
        type: "object",
        properties: {
          lines: {
            type: "array",
            items: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
          },
        },
        required: ["lines"],
      },
    ],
    [
      "an object of zod/mini",
      mini.object({ orderId: mini.string() }),
      { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
    ],
  ])("may be %s", async (_name, parameters, expected) => {
    expect(await sentTools(parameters)).toEqual({
      name: "a",
      model: "scripted/keyword",
      tools: [{ ...tool({}), parameters: expected }],
    });
  });

  it.each<[string, ToolParameters, RegExp]>([
    ["a date", z.object({ at: z.date() }), /Date cannot be represented/],
    ["a map", z.object({ at: z.map(z.string(), z.string()) }), /Map cannot be represented/],
    ["a function", z.object({ at: z.custom(() => true) }), /Custom types cannot be represented/],
    // What a caller without types may pass.
    ["no object at all", Reflect.get<object, string>({ text: z.string() }, "text"), /expected a Zod 4 object/],
    ["a schema of Zod 3", { _def: {}, safeParse: {} }, /expected a Zod 4 schema/],
  ])("may not hold %s; the error names the tool", async (_name, parameters, message) => {
    const gateway = await startScriptedGateway({});
    const create = clientOf(gateway).agents.create({ name: "a", model: "scripted/keyword", tools: [tool(parameters)] });

    await expect(create).rejects.toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(message) });
    await expect(create).rejects.toMatchObject({ message: expect.stringContaining("lookup_order") });
    expect(gateway.seen).toHaveLength(0);
  });

  it("are turned into JSON Schema in a change, too; built-in tools stay as they are", async () => {
    const gateway = await startScriptedGateway({ "PATCH /v1/agents/agt_01": json(200, agentRecord({ version: 2 })) });
    const tools = [{ builtin: "calculator" } as const, tool(z.object({}))];
    await clientOf(gateway).agents.update("agt_01", { tools });

    const expected: Pick<CreateAgent, "tools"> = {
      tools: [{ builtin: "calculator" }, { ...tool({}), parameters: { type: "object", properties: {} } }],
    };
    expect(gateway.seen[0]?.body).toEqual(expected);
  });
});
