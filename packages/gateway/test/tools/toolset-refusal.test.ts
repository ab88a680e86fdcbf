import type { JsonValue, ToolDefinition } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { describe, expect, it } from "vitest";
import { refusalOf as refusalOfCall } from "../../src/tools/toolset/refusal.ts";
import { composed, takes } from "./composed/composed-world.ts";
import { createToolsetWorld, lookupOrder } from "./toolset-world.ts";

const good = { orderId: "ORD-12345" };

async function refusalOf(
  call: { readonly name?: string; readonly parameters?: JsonValue; readonly malformed?: string },
  tools: readonly ToolDefinition[] = [lookupOrder, { builtin: "calculator" }],
  policy: Parameters<Awaited<ReturnType<typeof createToolsetWorld>>["toolsetOf"]>[1] = {},
) {
  const { toolsetOf } = await createToolsetWorld();
  return (await toolsetOf(tools, policy)).refusalOf({ name: "lookup_order", parameters: good, ...call });
}

describe("a call", () => {
  it("may run when the tool exists, the policy allows it and the arguments fit", async () => {
    expect(await refusalOf({})).toBeUndefined();
  });

  it.each<[string, Parameters<typeof refusalOf>[0], string]>([
    ["a field is missing", { parameters: {} }, "/orderId"],
    ["a field does not fit", { parameters: { orderId: "12345" } }, "/orderId"],
    ["a field is unknown", { parameters: { ...good, limit: 5 } }, "/limit"],
    ["the arguments are a list", { parameters: [] }, "must be an object"],
    ["the arguments were cut off", { parameters: '{"orderId":"O', malformed: "not JSON" }, "ends too early"],
    ["the arguments hold a __proto__", { parameters: '{"__proto__":{}}', malformed: "not JSON" }, "__proto__"],
    ["nobody knows why they could not be read", { parameters: good, malformed: "not JSON" }, "not JSON"],
  ])("is INVALID_ARGUMENTS when %s, and says where", async (_name, call, where) => {
    const refusal = await refusalOf(call);
    expect(refusal).toMatchObject({
      code: "INVALID_ARGUMENTS",
      source: "gateway",
      isRetryable: true,
      outcome: "none",
      isDenied: false,
    });
    expect(refusal?.message).toContain(where);
  });

  it("is UNKNOWN_TOOL for another name, and names the tools that exist", async () => {
    expect(await refusalOf({ name: "find_order" })).toMatchObject({
      code: "UNKNOWN_TOOL",
      message: 'there is no tool "find_order"; the tools are lookup_order, calculator',
      isRetryable: false,
      outcome: "none",
      isDenied: false,
    });
  });

  it.each(["constructor", "__proto__", "toString", ""])("is UNKNOWN_TOOL for %j", async (name) => {
    expect(await refusalOf({ name })).toMatchObject({ code: "UNKNOWN_TOOL" });
  });

  it("is INTERNAL when a tool fails in an unforeseen way while it looks at the arguments", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const { tools } = await toolsetOf([lookupOrder], {});
    const broken = [...tools].map(([name, tool]) => {
      const problemOf = () => "x".repeat(2 ** 30);
      return [name, { ...tool, problemOf }] as const;
    });
    const refusal = refusalOfCall(
      { name: "lookup_order", parameters: good },
      new Map(broken),
      createArgumentValidator(),
    );
    expect(refusal).toMatchObject({ code: "INTERNAL", source: "gateway", outcome: "none", isDenied: false });
  });

  it("does not repeat a long name, nor a long list of tools", async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ ...lookupOrder, name: `tool_${index}` }));
    const refusal = await refusalOf({ name: `evil ${"x".repeat(10_000)}` }, many);
    expect(refusal?.message.length).toBeLessThan(1_000);
    expect(refusal?.message).toMatch(/tool_39 and 60 more$/);
  });

  it("is UNKNOWN_TOOL where there are no tools", async () => {
    expect(await refusalOf({ name: "find_order" }, [])).toMatchObject({
      message: 'there is no tool "find_order"; the agent has no tools',
    });
  });

  it.each<[string, Partial<typeof lookupOrder> & Record<string, unknown>, Record<string, unknown>]>([
    ["its kind is not among those allowed", {}, { toolKinds: ["compute"] }],
    ["its kind is not, whoever would approve it", { approval: "always" }, { toolKinds: [] }],
  ])("is denied when %s", async (_name, change, policy) => {
    const tool = { ...lookupOrder, ...change };
    const refusal = await refusalOf({ parameters: {} }, [tool], {
      policy: { network: false, approval: "destructive", ...policy },
    });
    expect(refusal).toMatchObject({
      code: "POLICY_DENIED",
      source: "gateway",
      isRetryable: false,
      outcome: "none",
      isDenied: true,
    });
    expect(refusal?.message).toMatch(/^lookup_order may not run: /);
  });

  it.each<[string, JsonValue, boolean]>([
    ["text_summarizer", { artifactId: "art_1" }, true],
    ["gist", { of: "art_1" }, true],
    ["text_summarizer", { text: "A text." }, false],
  ])("of %s with %j is denied where the policy leaves out data: %s", async (name, parameters, isDenied) => {
    const gist = composed("gist", "text_summarizer", { artifactId: "${of}" }, takes("of"));
    const tools = [{ builtin: "text_summarizer" as const }, gist];
    const policy = { network: false, approval: "never" as const, toolKinds: ["compute" as const] };
    const refusal = await refusalOf({ name, parameters }, tools, { policy });
    if (isDenied) expect(refusal).toMatchObject({ code: "POLICY_DENIED", isDenied, isRetryable: false });
    else expect(refusal).toBeUndefined();
    const withData = { ...policy, toolKinds: [...policy.toolKinds, "data" as const] };
    expect(await refusalOf({ name, parameters }, tools, { policy: withData })).toBeUndefined();
  });

  it("that requires approval is not refused, and its arguments are validated too", async () => {
    const tool = { ...lookupOrder, approval: "always" } as const;
    expect(await refusalOf({}, [tool])).toBeUndefined();
    expect(await refusalOf({ parameters: {} }, [tool])).toMatchObject({ code: "INVALID_ARGUMENTS", isDenied: false });
  });

  it("is allowed when the tool's own approval mode is never", async () => {
    const tool = { ...lookupOrder, sideEffect: "destructive", approval: "never" } as const;
    expect(await refusalOf({}, [tool])).toBeUndefined();
  });

  it("is INTERNAL, not a crash, when its schema turns out not to compile", async () => {
    const tool = { ...lookupOrder, parameters: { type: "object", properties: { a: { $ref: "#/$defs/none" } } } };
    expect(await refusalOf({ parameters: { a: 1 } }, [tool])).toMatchObject({ code: "INTERNAL", isDenied: false });
  });

  it("of a built-in is checked like any other", async () => {
    expect(await refusalOf({ name: "calculator", parameters: { expression: "1+1" } })).toBeUndefined();
    expect(await refusalOf({ name: "calculator", parameters: { expression: 2 } })).toMatchObject({
      code: "INVALID_ARGUMENTS",
    });
  });
});
