import { handlerToolSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { defineTool, ToolError, YagateError } from "../src/index.ts";
import { callTool } from "../src/testing.ts";
import { outcomeOf } from "./support/outcome.ts";
import { call, handlerOf } from "./support/tools.ts";

const tool = { name: "lookup_order", description: "Looks up.", parameters: { type: "object" }, execute: () => null };

describe("a tool is not defined", () => {
  it.each<[string, Record<string, unknown>]>([
    ["with a space in its name", { name: "lookup order" }],
    ["with a name of 65 characters", { name: "a".repeat(65) }],
    ["without a description", { description: "" }],
    ["without parameters", { parameters: undefined }],
    ["with a JSON Schema of a list", { parameters: { type: "array" } }],
    ["with a Zod schema of text", { parameters: z.string() }],
    ["without code", { execute: undefined }],
    ["with a field that nothing reads", { retries: 1 }],
    ["with an unknown side effect", { sideEffect: "write" }],
    ["with an unknown risk class", { risk: "high" }],
    ["with a time limit of 0", { timeout: 0 }],
    ["with a time limit past ten minutes", { timeout: 600_001 }],
    ["with a time limit in words", { timeout: "10s" }],
    ["with async in words", { async: "yes" }],
    ["with notes of 4,001 characters", { usageNotes: "x".repeat(4_001) }],
  ])("%s", async (_name, changed) => {
    expect(await outcomeOf(() => defineTool({ ...tool, ...changed }))).toBe("INVALID_REQUEST");
  });
});

it("an option that is wrong is named, with its tool", () => {
  expect(() => defineTool({ ...tool, timeout: 0 })).toThrow(/^tool lookup_order: timeout: /);
});

it("a tool comes back with the fields that it was given, and can be changed by a copy", () => {
  const options = { sideEffect: "read_only", risk: "external_read", timeout: 5_000, usageNotes: "Rarely." } as const;
  const given = { ...tool, ...options };
  const defined = defineTool(given);
  const fields = { ...given, execute: expect.any(Function) };
  expect({ ...defined }).toEqual(fields);
  expect({ ...defineTool({ ...defined, name: "lookup_orders" }) }).toEqual({ ...fields, name: "lookup_orders" });
});

describe("a tool at a URL", () => {
  const url = "https://orders.example.com/tools";

  it("is what an agent refers to it by", () => {
    const options = { sideEffect: "idempotent_write", timeout: 5_000, async: true, usageNotes: "Rarely." } as const;
    const parameters = z.object({ orderId: z.string(), limit: z.int().min(1).max(5).default(1) });
    const at = defineTool({ ...tool, ...options, parameters }).at(url);
    expect(at).toEqual({
      name: "lookup_order",
      description: "Looks up.",
      parameters: {
        type: "object",
        properties: { orderId: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 5, default: 1 } },
        required: ["orderId"],
      },
      ...options,
      handler: url,
    });
    expect(handlerToolSchema.parse(JSON.parse(JSON.stringify(at)))).toEqual(at);
  });

  it("has a JSON Schema as it was given", () => {
    const parameters = { type: "object", properties: { orderId: { type: "string" } } };
    expect(defineTool({ ...tool, parameters }).at(url).parameters).toEqual(parameters);
  });

  it.each(["orders.example.com/tools", "", "ftp://orders.example.com", "http://"])("is not at %j", (wrong) => {
    expect(() => defineTool(tool).at(wrong)).toThrow(/^at: expected an http or https URL$/);
  });

  it("is refused if JSON Schema cannot express its parameters", () => {
    const byDate = defineTool({ ...tool, parameters: z.object({ at: z.date() }) });
    expect(() => byDate.at(url)).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringMatching(/^tool lookup_order: expected parameters that JSON Schema can express: .*Date/),
      }),
    );
  });
});

it("a tool's parameters may be a schema of Zod Mini", async () => {
  const { handler } = handlerOf(
    defineTool({
      ...tool,
      parameters: mini.object({ orderId: mini.string() }),
      execute: ({ orderId }) => orderId.toLowerCase(),
    }),
  );
  expect((await callTool(handler, call())).result).toBe("ord-12345");
  expect((await callTool(handler, call({ parameters: {} }))).error?.code).toBe("INVALID_ARGUMENTS");
});

it("a tool may be an object with state of its own", async () => {
  class Counter {
    get name() {
      return "lookup_order";
    }
    readonly description = "Counts.";
    readonly parameters = { type: "object" };
    #count = 0;
    execute() {
      this.#count += 1;
      return this.#count;
    }
  }
  for (const counter of [new Counter(), defineTool(new Counter())]) {
    const { handler } = handlerOf(counter);
    expect([await callTool(handler, call()), await callTool(handler, call())]).toMatchObject([
      { result: 1 },
      { result: 2 },
    ]);
  }
});

describe("a ToolError", () => {
  it.each(["", "not a code", "x".repeat(65), "ÄRGER"])("is not made with the code %j", async (code) => {
    expect(await outcomeOf(() => new ToolError(code, "message"))).toBe("INVALID_REQUEST");
  });

  it("has what the model reads, and keeps its cause to itself", () => {
    const cause = new Error("password=hunter2");
    const error = new ToolError("BUSY", "come again", { retryable: true, hint: "wait", details: [1], cause });
    expect(error.cause).toBe(cause);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: "BUSY",
      message: "come again",
      retryable: true,
      hint: "wait",
      details: [1],
    });
    expect(JSON.parse(JSON.stringify(new ToolError("NO", "no")))).toEqual({ code: "NO", message: "no" });
  });

  it("is recognised from another copy of the package, and nothing else is", () => {
    const copy = Object.assign(new Error("x"), { [Symbol.for("yagate.tool-error")]: true });
    expect([copy, new ToolError("A", "b")].map(ToolError.is)).toEqual([true, true]);
    expect([new YagateError("INTERNAL", "x"), new Error("x"), null, "x"].map(ToolError.is)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
