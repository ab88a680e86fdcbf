import type { ComposedToolDefinition, JsonObject, ToolDefinition } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { effectiveTraits } from "../../../src/tools/composed/effective-traits.ts";
import { createToolsetWorld, execute, failureOf, toolNamed } from "../toolset-world.ts";
import { composed, request, takes } from "./composed-world.ts";

const gross: ToolDefinition = {
  ...composed("gross", "calculator", { expression: "${net} * 1.19" }, takes("net")),
  description: "Adds the tax.",
  usageNotes: "Net prices only.",
};
const doubled = composed("doubled", "gross", { net: "2 * (${net})" }, takes("net"));

describe("a composed tool that computes", () => {
  it("has its own name, description and parameters, and the kind of its target", async () => {
    const { toolsetOf } = await createToolsetWorld();
    expect(toolNamed(await toolsetOf([gross]), "gross")).toMatchObject({
      name: "gross",
      description: "Adds the tax.\n\nNet prices only.",
      parameters: takes("net"),
      kind: "compute",
      sideEffect: "read_only",
      risk: "read_only",
      policyDecision: { decision: "allowed" },
      timeoutMs: 10_000,
    });
  });

  it("runs the built-in with the rendered arguments", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const { answer } = await execute(await toolsetOf([gross]), { name: "gross", parameters: { net: 100 } });
    expect(answer).toMatchObject({ result: { value: 119 } });
  });

  it("runs through other composed tools", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const { answer } = await execute(await toolsetOf([doubled, gross]), {
      name: "doubled",
      parameters: { net: "1+1" },
    });
    expect(answer).toMatchObject({ result: { value: 4.76 } });
  });

  it("tells the model why its arguments make no valid call", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const call = { name: "gross", parameters: { net: [1] } };
    const outcome = await execute(await toolsetOf([gross]), call);
    expect(outcome.cost).toEqual({ usd: 0, credits: 0 });
    expect(failureOf(outcome)).toEqual({
      code: "INVALID_ARGUMENTS",
      message: "net must be a string, number or boolean: it is part of a string",
      source: "gateway",
      isRetryable: true,
      outcome: "none",
    });
  });

  it("is approved for what will run: other arguments have another hash", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([gross]);
    const call = (parameters: Record<string, string | string[]>) => ({
      ...{ workspaceId: "ws_01", agentId: "agt_01", executionId: "exec_01", toolCallId: "tc_01", name: "gross" },
      ...{ parameters, attempt: 1 },
    });
    const { executor } = toolNamed(toolset, "gross");
    const one = await executor.render(call({ net: "1" }));
    expect(one).toEqual({ request: null, hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
    expect(await executor.render(call({ net: "1" }))).toEqual(one);
    const others = await Promise.all(
      [call({ net: "2" }), call({ net: [] }), call({ net: ["1"] })].map(executor.render),
    );
    expect(new Set([one, ...others].map(({ hash }) => hash)).size).toBe(4);

    const approved = await execute(toolset, call({ net: "1" }), { approvedHash: one.hash });
    expect(approved.answer).toHaveProperty("result");
    expect(failureOf(await execute(toolset, call({ net: "2" }), { approvedHash: one.hash })).code).toBe(
      "POLICY_DENIED",
    );
  });

  it("obeys the policy of its kind and its author's call options", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const policy = { network: false, approval: "writes", toolKinds: ["handler"] } as const;
    const denied = await toolsetOf([gross], { policy: { ...policy, toolKinds: [...policy.toolKinds] } });
    expect(denied.refusalOf({ name: "gross", parameters: { net: 1 } })).toMatchObject({ isDenied: true });
    const asked = await toolsetOf([{ ...gross, approval: "always", timeout: 5, resourceKey: "tax" }], { version: 2 });
    expect(toolNamed(asked, "gross")).toMatchObject({
      policyDecision: { decision: "approval_required" },
      timeoutMs: 5,
      options: { resourceKey: "tax" },
    });
  });
});

describe("a composed tool over another one", () => {
  const deciding = (rest: Partial<ComposedToolDefinition>, behind: Partial<ComposedToolDefinition>) => [
    { ...composed("helper", "middle", {}), ...rest },
    composed("middle", "sum", {}),
    { ...composed("sum", "calculator", { expression: "1" }), ...behind },
  ];

  it.each<[string, Partial<ComposedToolDefinition>, Partial<ComposedToolDefinition>, object, string]>([
    ["has its side effect", {}, { sideEffect: "destructive" }, { sideEffect: "destructive" }, "approval_required"],
    ["has its risk", {}, { risk: "destructive" }, { risk: "destructive" }, "approval_required"],
    [
      "is no milder, even if it was saved so",
      { sideEffect: "read_only", risk: "read_only" },
      { sideEffect: "destructive" },
      { sideEffect: "destructive", risk: "destructive" },
      "approval_required",
    ],
    ["asks as it does", {}, { approval: "always" }, {}, "approval_required"],
    ["asks as it does, whatever it says", { approval: "never" }, { approval: "always" }, {}, "approval_required"],
    ["asks as it says itself", { approval: "always" }, { approval: "never" }, {}, "approval_required"],
    [
      "asks as the policy says",
      {},
      { approval: "never", sideEffect: "destructive" },
      { sideEffect: "destructive" },
      "approval_required",
    ],
    [
      "may be graver",
      { sideEffect: "idempotent_write" },
      {},
      { sideEffect: "idempotent_write", risk: "idempotent_write" },
      "allowed",
    ],
    ["is as mild", {}, {}, { sideEffect: "read_only", risk: "read_only" }, "allowed"],
  ])("%s", async (_what, rest, behind, traits, decision) => {
    const { toolsetOf } = await createToolsetWorld();
    const helper = toolNamed(await toolsetOf(deciding(rest, behind)), "helper");
    expect(helper).toMatchObject({ ...traits, policyDecision: { decision } });
  });
});

describe("without a declaration, a composed tool for http_request", () => {
  const traitsOf = (args: JsonObject) => effectiveTraits(request(args), { builtins: new Map(), tools: new Map() });

  it("reads if it sends GET, and is of the kind network", () => {
    const traits = { kind: "network", sideEffect: "read_only", risk: "external_read" };
    expect(traitsOf({ method: "GET", headers: { accept: "text/html" } })).toMatchObject(traits);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("has no side effect by default if it sends %s", (method) => {
    expect(traitsOf({ method })).toMatchObject({ sideEffect: undefined, risk: undefined });
  });

  it.each(["X-HTTP-Method-Override", "x-http-method", "X-Method-Override", "X_HTTP_METHOD_OVERRIDE"])(
    "has none if a GET has the header %s",
    (name) => {
      const traits = traitsOf({ method: "GET", headers: { [name]: "DELETE" } });
      expect(traits).toMatchObject({ sideEffect: undefined, risk: undefined });
    },
  );
});
