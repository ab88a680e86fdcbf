import { readFileSync } from "node:fs";
import { builtinTools } from "@yagate/builtins/builtin-tools";
import { type ComposedToolDefinition, composedToolSchema, type JsonObject, jsonObjectSchema } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import type { RenderedRequest } from "@yagate/tool-definitions/request/port";
import { RenderError } from "@yagate/tool-definitions/request/render-error";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkComposedTools } from "../../../src/tools/checks/check-composed-tools.ts";
import { compileComposedTool } from "../../../src/tools/composed/compile-composed-tool.ts";

const caseSchema = z.object({
  id: z.string(),
  why: z.string(),
  phase: z.enum(["validate", "render"]),
  decision: z.string().optional(),
  tool: z.string(),
  tools: z.array(z.unknown()),
  secrets: z.record(z.string(), z.object({ value: z.string(), hosts: z.array(z.string()) })),
  parameters: jsonObjectSchema.optional(),
  expect: z.enum(["ok", "reject"]),
  codes: z.array(z.string()).optional(),
  output: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown().optional(),
    })
    .optional(),
});
type Case = z.infer<typeof caseSchema>;

const path = new URL("../../vectors/templates.json", import.meta.url);
const { cases } = z.object({ cases: z.array(caseSchema) }).parse(JSON.parse(readFileSync(path, "utf8")));

/** Where the vectors leave the choice open, and ours is the other one: headers are ASCII on every way out. */
const REFUSED_HERE: ReadonlyMap<string, string> = new Map([["hdr-13", "INVALID_HEADER_VALUE"]]);

const argumentValidator = createArgumentValidator();
const builtins = builtinTools();

function toolsOf({ tools }: Case): readonly ComposedToolDefinition[] {
  return tools.map((tool) => composedToolSchema.parse(tool));
}

function errorsOf(vector: Case): readonly string[] {
  const tools = toolsOf(vector);
  return checkComposedTools(
    tools.map((tool, index) => ({ tool, path: `tools[${index}]` })),
    {
      secrets: new Map(Object.entries(vector.secrets)),
      toolNames: new Set(tools.map(({ name }) => name)),
      builtins,
      argumentValidator,
    },
  )
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code);
}

/** The two steps of every call: the arguments are held to the schema, then a request is made of them. */
function send(vector: Case): RenderedRequest | string {
  const tools = toolsOf(vector);
  const tool = tools.find(({ name }) => name === vector.tool);
  if (tool === undefined) throw new Error("expected a tool of that name");
  const parameters: JsonObject = vector.parameters ?? {};
  const check = argumentValidator.validate(vector.id, tool.parameters, parameters);
  if (!check.valid) {
    return check.errors.some(({ code }) => code === "FORBIDDEN_KEY") ? "FORBIDDEN_KEY" : "INVALID_ARGUMENTS";
  }
  const compiled = compileComposedTool(tool, tools, { builtins, argumentValidator });
  if (compiled.kind !== "network") throw new Error("expected a tool that makes a request");
  try {
    return compiled.template.render(parameters, (name) => vector.secrets[name]?.value ?? "");
  } catch (error) {
    if (error instanceof RenderError) return error.reason;
    throw error;
  }
}

describe("the vectors of composed tools", () => {
  it.each(cases.filter(({ phase }) => phase === "validate").map((vector) => [vector.id, vector.why, vector] as const))(
    "%s: %s",
    (_id, _why, vector) => {
      const errors = errorsOf(vector);
      if (vector.expect === "ok") expect(errors).toEqual([]);
      else expect(errors).toContain(vector.codes?.[0]);
    },
  );

  it.each(cases.filter(({ phase }) => phase === "render").map((vector) => [vector.id, vector.why, vector] as const))(
    "%s: %s",
    (id, _why, vector) => {
      expect(errorsOf(vector)).toEqual([]);
      const refused = REFUSED_HERE.get(id);
      if (refused !== undefined) expect(vector.decision).toContain("also acceptable");
      if (refused === undefined && vector.expect === "ok") expect(send(vector)).toEqual(vector.output);
      else expect(send(vector)).toBe(refused ?? vector.codes?.[0]);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    },
  );

  it("are all there", () => {
    expect(cases).toHaveLength(79);
  });
});
