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
    ["with a field that nothing reads", { timeout: 1_000 }],
  ])("%s", async (_name, changed) => {
    expect(await outcomeOf(() => defineTool({ ...tool, ...changed }))).toBe("INVALID_REQUEST");
  });
});

it("a tool comes back as it was given", () => {
  expect(defineTool(tool)).toBe(tool);
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
    readonly name = "lookup_order";
    readonly description = "Counts.";
    readonly parameters = { type: "object" };
    #count = 0;
    execute() {
      this.#count += 1;
      return this.#count;
    }
  }
  const { handler } = handlerOf(new Counter());
  expect([await callTool(handler, call()), await callTool(handler, call())]).toMatchObject([
    { result: 1 },
    { result: 2 },
  ]);
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
