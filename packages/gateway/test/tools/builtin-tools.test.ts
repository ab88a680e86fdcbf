import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { builtinTools, resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { BUILTIN_NAMES, isErrorCode } from "@yagate/protocol";
import { checkParametersSchema } from "@yagate/tool-definitions/arguments/check-parameters-schema";
import { describe, expect, it } from "vitest";
import { builtinContext } from "../../../builtins/test/builtin-context.ts";

const context = builtinContext();

function toolNamed(name: string): BuiltinTool {
  const tool = builtinTools().get(name);
  if (tool === undefined) throw new Error(`no built-in ${name}`);
  return tool;
}

describe("builtinTools", () => {
  it("are the tools that agents may list", () => {
    const places = "packages/builtins/src/builtin-tools.ts and packages/protocol/src/schemas/builtin-names.ts";
    expect([...builtinTools().keys()].sort(), `${places} must list the same tools`).toEqual([...BUILTIN_NAMES].sort());
  });

  it.each([...builtinTools().values()].map((tool) => [tool.name, tool] as const))(
    "%s works without configuration, unless it uses the network",
    (_name, { kind, isConfigured }) => {
      expect(isConfigured).toBe(kind !== "network");
    },
  );

  it("are of the kinds that policies name", () => {
    expect(Object.fromEntries([...builtinTools().values()].map(({ name, kind }) => [name, kind]))).toMatchObject({
      calculator: "compute",
      datetime: "compute",
      json_validator: "compute",
      web_search: "network",
      url_fetch: "network",
      text_summarizer: "compute",
      read_artifact: "data",
    });
  });

  it.each([...builtinTools().values()].map((tool) => [tool.name, tool] as const))(
    "%s has a name, a description and parameters that an agent could be saved with",
    (name, tool) => {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      expect(tool.description.length).toBeGreaterThan(20);
      expect(tool.description.length).toBeLessThan(1_024);
      expect(checkParametersSchema(tool.parameters)).toEqual([]);
      expect(tool.sideEffect).toBe("read_only");
    },
  );

  it.each(["web_search"])("%s says what an operator must configure", async (name) => {
    const outcome = await toolNamed(name).execute({}, context);
    expect(outcome).toMatchObject({ error: { code: "NOT_CONFIGURED", retryable: false } });
    expect(JSON.stringify(outcome)).toMatch(
      new RegExp(`${name} is not configured: this gateway (?:has no|can't) \\w+`),
    );
  });

  it("replaces an unconfigured tool by a configured one", async () => {
    const search: BuiltinTool = {
      ...toolNamed("web_search"),
      isConfigured: true,
      execute: async ({ query }) => ({ result: { query, matches: [] } }),
    };
    const tools = builtinTools({ configured: [search] });
    expect(tools.size).toBe(BUILTIN_NAMES.length);
    expect(await tools.get("web_search")?.execute({ query: "yagate" }, context)).toEqual({
      result: { query: "yagate", matches: [] },
    });
  });
});

describe("resolveBuiltinName", () => {
  it.each<[string, string | undefined]>([
    ["calculator", "calculator"],
    ["text_summarizer", "text_summarizer"],
    ["summarizer", "text_summarizer"],
    ["Calculator", undefined],
    ["lookup_order", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("%s is %s", (name, resolved) => {
    expect(resolveBuiltinName(name)).toBe(resolved);
  });
});

describe("calculator", () => {
  it("returns a value", async () => {
    expect(await toolNamed("calculator").execute({ expression: "0.1 + 0.2" }, context)).toEqual({
      result: { value: 0.3, exact: "0.3" },
    });
  });

  it.each<[unknown, RegExp]>([
    ["1 / 0", /^DIVISION_BY_ZERO: /],
    ["2 +", /^SYNTAX: expected/],
    ["launch(1)", /^UNKNOWN_IDENTIFIER: launch is not known/],
    [undefined, /^INVALID_TYPE: /],
  ])("tells the model how to correct %s", async (expression, message) => {
    const outcome = await toolNamed("calculator").execute({ expression }, context);
    expect(outcome).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: expect.stringMatching(message), retryable: true },
    });
    expect("error" in outcome && isErrorCode(outcome.error.code)).toBe(true);
  });
});
