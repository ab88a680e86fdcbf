import { importedToolkitSchema, warningSchema, workspaceToolSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { expectStatus, fieldsOf, makeAgent } from "./support/agents.ts";
import { workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

/** The shape of every warning, nothing beside it. */
const exactly = z.array(warningSchema.extend({ severity: z.enum(["info", "warning", "critical"]) }).strict());
const undeclared = workTool("https://tools.example/work", { name: "work", sideEffect: undefined });

async function makeTool(body: Record<string, unknown>) {
  return workspaceToolSchema.parse(expectStatus(await world.call("createTool", { body }), 201));
}

describe("warnings have one shape", () => {
  it("of a saved agent, as severe as their codes are", async () => {
    const { warnings } = await makeAgent(world, { model: "anthropic/claude-sonnet-4", tools: [undeclared] });
    expect(exactly.parse(warnings)).toEqual([
      { code: "NOT_CONFIGURED", severity: "critical", path: "model", message: expect.any(String) },
      {
        ...{ code: "SIDE_EFFECT_UNDECLARED", severity: "warning" },
        ...{ path: "tools[0].sideEffect", message: expect.any(String) },
      },
    ]);
  });

  it("of a saved workspace tool", async () => {
    const { remarks } = await makeTool({ definition: { ...undeclared, name: "remarked" } });
    expect(exactly.parse(remarks)).toMatchObject([
      { code: "SIDE_EFFECT_UNDECLARED", severity: "warning", path: "definition.sideEffect" },
    ]);
  });

  it("of an imported document, whatever they are about", async () => {
    const schema = { type: "object", properties: { name: { type: "string" } } };
    const operation = { operationId: "readPet", responses: { 200: { description: "a pet" } } };
    const openapi = {
      ...{ openapi: "3.0.3", info: { title: "Pets\u200b", version: "1" }, servers: [{ url: "https://pets.example" }] },
      paths: {
        "/pets": {
          get: { ...operation, requestBody: { content: { "application/json": { schema } } } },
          trace: { responses: {} },
        },
      },
    };
    const answer = await world.call("importTools", { body: { openapi, namePrefix: "pets_" } });
    const { warnings, notes, skipped, problems, removed = [] } = importedToolkitSchema.parse(expectStatus(answer, 201));
    expect(exactly.parse(warnings)).toHaveLength(notes.length + skipped.length + problems.length + removed.length);
    expect(warnings).toEqual(
      expect.arrayContaining([
        { code: "IMPORT_NOTE", severity: "info", path: "pets_read_pet", message: notes[0]?.note },
        {
          ...{ code: "OPERATION_SKIPPED", severity: "warning", path: "/paths/~1pets/trace" },
          message: expect.stringContaining("TRACE /pets: "),
        },
        {
          ...{ code: "CHARACTERS_REMOVED", severity: "warning", path: "/info/title" },
          message: expect.stringContaining("U+200B"),
        },
      ]),
    );
  });
});

describe("an author's own warnings of a tool", () => {
  const note = { severity: "critical", message: "Sandbox only." };
  const older = { level: "critical", text: "Sandbox only." };

  it.each<[string, object, object]>([
    ["in the shape of every warning", note, {}],
    ["with a code and a path", { ...note, code: "SANDBOX", path: "handler" }, { code: "SANDBOX", path: "handler" }],
    ["by their older names", older, {}],
    ["as an answer had them", { ...note, ...older, code: "AUTHOR_NOTE", path: "definition" }, {}],
  ])("are taken %s, and answered with both", async (what, given, change) => {
    const definition = { ...undeclared, name: what.replaceAll(" ", "_") };
    const warnings = [{ code: "AUTHOR_NOTE", path: "definition", ...note, ...older, ...change }];
    const { id, warnings: saved } = await makeTool({ definition, warnings: [given] });
    expect(saved).toEqual(warnings);
    expect((await world.call("getTool", { params: { id } })).body).toMatchObject({ warnings });
    const next = await world.call("updateTool", { params: { id }, body: { warnings: [{ ...given, ...warnings[0] }] } });
    expect(next.body).toMatchObject({ version: 1, warnings });
  });

  it.each<[string, object, readonly string[]]>([
    ["without a message", { severity: "info" }, ["warnings[0].message"]],
    ["without a severity", { text: "Slow." }, ["warnings[0].severity"]],
    ["of two messages", { ...note, text: "Another." }, ["warnings[0].message"]],
    ["with an unknown severity", { ...note, severity: "grave" }, ["warnings[0].severity"]],
  ])("are refused %s", async (_what, given, paths) => {
    const body = { definition: { ...undeclared, name: "refused" }, warnings: [given] };
    const answer = await world.call("createTool", { body });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(paths);
  });
});
