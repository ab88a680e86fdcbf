import { MAX_TOOLS_PER_AGENT, schemaHash } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createToolsetWorld, HANDLER, lookupOrder, toolNamed } from "./toolset-world.ts";

describe("the tools of an agent", () => {
  it("are ready under their names, in the agent's order", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ builtin: "datetime" }, lookupOrder, { builtin: "calculator" }]);
    expect([...toolset.tools.keys()]).toEqual(["datetime", "lookup_order", "calculator"]);
  });

  it("have the texts for the model and the traits for decisions", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const definition = { ...lookupOrder, sideEffect: "read_only", timeout: 500, retries: 2 } as const;
    expect(toolNamed(await toolsetOf([definition]), "lookup_order")).toMatchObject({
      description: "Looks up an order.",
      parameters: lookupOrder.parameters,
      schemaHash: await schemaHash(lookupOrder.parameters),
      kind: "handler",
      sideEffect: "read_only",
      risk: "read_only",
      policyDecision: { decision: "allowed", reason: "risk class read_only" },
      handler: { handler: HANDLER, timeout: 500, retries: 2 },
    });
  });

  it("without declarations have neither side effect nor risk, and run", async () => {
    const { toolsetOf } = await createToolsetWorld();
    expect(toolNamed(await toolsetOf([lookupOrder]), "lookup_order")).toMatchObject({
      sideEffect: null,
      risk: null,
      policyDecision: { decision: "allowed" },
    });
  });

  it("show the model their usage notes", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([
      { ...lookupOrder, usageNotes: "Only for orders of this year." },
      { ...lookupOrder, name: "plain", usageNotes: "  " },
    ]);
    expect(toolNamed(toolset, "lookup_order").description).toBe("Looks up an order.\n\nOnly for orders of this year.");
    expect(toolNamed(toolset, "plain").description).toBe("Looks up an order.");
  });

  it("that are built in have no handler, and an alias has the real name", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const toolset = await toolsetOf([{ builtin: "summarizer" }, { builtin: "calculator" }]);
    expect([...toolset.tools.keys()]).toEqual(["text_summarizer", "calculator"]);
    const calculator = toolNamed(toolset, "calculator");
    expect(calculator).toMatchObject({ kind: "compute", sideEffect: "read_only", risk: "read_only" });
    expect(calculator).not.toHaveProperty("handler");
    expect(calculator.schemaHash).toBe(await schemaHash(calculator.parameters));
  });

  it("include read_artifact, unless the agent lists that name or its policy denies it", async () => {
    const { toolsetOf } = await createToolsetWorld();
    const namesOf = async (...given: Parameters<typeof toolsetOf>) => {
      const toolset = await toolsetOf(...given);
      expect(toolset.withArtifacts.withArtifacts).toBe(toolset.withArtifacts);
      return [[...toolset.tools.keys()], [...toolset.withArtifacts.tools.keys()]];
    };
    const own = { ...lookupOrder, name: "read_artifact" };
    const noData = { network: false, toolKinds: ["handler" as const], approval: "never" as const };
    expect(await namesOf([lookupOrder])).toEqual([["lookup_order"], ["lookup_order", "read_artifact"]]);
    expect(await namesOf([own], { version: 2 })).toEqual([["read_artifact"], ["read_artifact"]]);
    const listed = { builtin: "read_artifact" as const };
    expect(await namesOf([listed], { version: 3 })).toEqual([["read_artifact"], ["read_artifact"]]);
    expect(await namesOf([lookupOrder], { version: 4, policy: noData })).toEqual([["lookup_order"], ["lookup_order"]]);
    const alike = { ...lookupOrder, name: "read.artifact" };
    expect(await namesOf([alike], { version: 5 })).toEqual([["read.artifact"], ["read.artifact"]]);
    const many = Array.from({ length: MAX_TOOLS_PER_AGENT }, (_, index) => ({ ...lookupOrder, name: `tool_${index}` }));
    const [own128, with128] = await namesOf(many, { version: 6 });
    expect(with128).toEqual(own128);
  });

  it("may be none", async () => {
    const { toolsetOf } = await createToolsetWorld();
    expect((await toolsetOf([])).tools.size).toBe(0);
  });
});

it("tools whose definition cannot be serialized are refused", async () => {
  const { toolsetOf } = await createToolsetWorld();
  const broken = { ...lookupOrder, parameters: { type: "object", default: "\ud800" } };
  await expect(toolsetOf([broken])).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
});
