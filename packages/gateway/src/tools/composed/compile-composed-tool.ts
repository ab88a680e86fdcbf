import { createHash } from "node:crypto";
import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { listShapeProblems } from "@yagate/lib/json/json-shape";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { type ComposedToolDefinition, canonicalJson, type JsonObject, YagateError } from "@yagate/protocol";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { type RequestPrimitive, renderRequest } from "@yagate/tool-definitions/placeholders/request-template";
import { createTemplateReader, scopeOf } from "@yagate/tool-definitions/placeholders/template-reader";
import { type ArgumentTemplates, renderMembers } from "@yagate/tool-definitions/placeholders/value-template";
import type { RequestTemplate } from "@yagate/tool-definitions/request/port";
import { RenderError } from "@yagate/tool-definitions/request/render-error";
import { createTextBudget } from "@yagate/tool-definitions/request/request-limits";
import { type EffectiveTraits, effectiveTraits } from "./effective-traits.ts";
import {
  definitionOf,
  findTarget,
  type Implementation,
  MAX_DELEGATIONS,
  parseImplementation,
  type Targets,
} from "./target.ts";

/** A compiled composed tool. */
export type CompiledComposedTool = { readonly traits: EffectiveTraits } & (
  | {
      readonly kind: "network";
      readonly primitive: RequestPrimitive;
      readonly template: RequestTemplate;
    }
  | {
      readonly kind: "compute";
      readonly builtin: BuiltinTool;
      /**
       * Converts the arguments of the tool to the arguments of the built-in tool.
       *
       * @param parameters - arguments that were already validated against the tool's schema.
       * @returns arguments that match the schema of the built-in tool.
       * @throws RenderError.
       */
      renderArguments(parameters: JsonObject): JsonObject;
    }
);

/** What is needed to compile a composed tool. */
export interface CompileOptions {
  /** Built-in tools by name. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly argumentValidator: ArgumentValidator;
}

/** Converts the arguments of one tool to the arguments of its target. */
type Step = (parameters: JsonObject) => JsonObject;

/**
 * Compiles a composed tool together with the tools to which it delegates.
 *
 * @param tool - a tool in which `checkComposedTools` found no error.
 * @param all - the composed tools of the agent, in any order.
 * @throws YagateError `INTERNAL` for a tool with an error that its check should have found.
 */
export function compileComposedTool(
  tool: ComposedToolDefinition,
  all: readonly ComposedToolDefinition[],
  { builtins, argumentValidator }: CompileOptions,
): CompiledComposedTool {
  const targets: Targets = { builtins, tools: new Map(all.map((each) => [each.name, each])) };
  const traits = effectiveTraits(tool, targets);
  if (traits === undefined) throw notSaved();
  const steps: Step[] = [];
  let { implementation, secretNames } = read(tool, targets);
  while ("args" in implementation) {
    const { target, args } = implementation;
    steps.push(stepTo(definitionOf(target), args, argumentValidator));
    if (!("tool" in target)) {
      const renderArguments = (parameters: JsonObject) => walk(steps, parameters);
      return { traits, kind: "compute", builtin: target.builtin, renderArguments };
    }
    if (steps.length > MAX_DELEGATIONS) throw notSaved();
    ({ implementation, secretNames } = read(target.tool, targets));
  }
  const { primitive, request } = implementation;
  const render: RequestTemplate["render"] = (parameters, secretOf) =>
    renderRequest(request, walk(steps, parameters), secretOf);
  return { traits, kind: "network", primitive, template: { secretNames, render } };
}

function walk(steps: readonly Step[], parameters: JsonObject): JsonObject {
  assertPlainArguments(parameters);
  return steps.reduce((args, step) => step(args), parameters);
}

/**
 * Checks the shape of arguments.
 * @throws RenderError for member names that could modify a prototype, and for values that are too large or too deeply
 *   nested.
 */
function assertPlainArguments(parameters: JsonObject): void {
  const [problem] = listShapeProblems(parameters, VALUE_LIMITS);
  if (problem === undefined) return;
  if (problem.code === "FORBIDDEN_KEY") {
    throw new RenderError(
      "FORBIDDEN_KEY",
      "the arguments must not have members named __proto__, constructor or prototype",
    );
  }
  throw new RenderError("RENDERED_TOO_LARGE", "the arguments must be shorter JSON with fewer levels of nesting");
}

function stepTo(
  { name, parameters: schema }: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> },
  args: ArgumentTemplates,
  validator: ArgumentValidator,
): Step {
  const hash = `sha256:${createHash("sha256").update(canonicalJson(schema)).digest("hex")}`;
  return (parameters) => {
    const budget = createTextBudget(VALUE_LIMITS.maxCharacters, () => handedOnTooLarge(name));
    const rendered = renderMembers(args, { parameters, secretOf: noSecret, budget });
    const check = validator.validate(hash, schema, rendered);
    if (check.valid) return rendered;
    throw new RenderError("INVALID_ARGUMENTS", `the arguments for ${name} are invalid: ${check.message}`);
  };
}

function handedOnTooLarge(name: string): RenderError {
  const { maxCharacters } = VALUE_LIMITS;
  return new RenderError(
    "RENDERED_TOO_LARGE",
    `the arguments for ${name} must have at most ${maxCharacters} characters: shorten the arguments`,
  );
}

function noSecret(): never {
  throw notSaved();
}

function read(
  tool: ComposedToolDefinition,
  targets: Targets,
): { implementation: Implementation; secretNames: readonly string[] } {
  const target = findTarget(tool.implementation.primitive, targets);
  const reader = createTemplateReader(scopeOf(tool.parameters));
  const implementation = target && parseImplementation(tool, target, "args", reader);
  if (implementation === undefined || reader.problems.some(({ severity }) => severity === "error")) throw notSaved();
  return { implementation, secretNames: [...new Set(reader.secretUses.map(({ name }) => name))] };
}

function notSaved(): YagateError {
  return new YagateError("INTERNAL", "expected a composed tool that was checked when it was saved");
}
