import { createHash } from "node:crypto";
import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { listShapeProblems } from "@yagate/lib/json/json-shape";
import { type ComposedToolDefinition, canonicalJson, type JsonObject } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { checkParametersSchema } from "@yagate/tool-definitions/arguments/check-parameters-schema";
import {
  createTemplateReader,
  scopeOf,
  type TemplateReader,
} from "@yagate/tool-definitions/placeholders/template-reader";
import { isPlaceholderName } from "@yagate/tool-definitions/placeholders/template-text";
import type { ArgumentTemplates } from "@yagate/tool-definitions/placeholders/value-template";
import { checkArgumentTypes } from "@yagate/tool-definitions/schema-fit/check-argument-types";
import { effectiveTraits } from "../composed/effective-traits.ts";
import {
  definitionOf,
  delegationsOf,
  findTarget,
  type Implementation,
  isReservedName,
  isUnsupportedTarget,
  MAX_DELEGATIONS,
  namesOfPrimitives,
  parseImplementation,
  type Targets,
} from "../composed/target.ts";

/** A composed tool and its path, such as `tools[0]`. */
export interface PlacedComposedTool {
  readonly tool: ComposedToolDefinition;
  readonly path: string;
}

/** What composed tools are checked against. */
export interface ComposedToolContext {
  /** The workspace's secrets by name, without their values. */
  readonly secrets: ReadonlyMap<string, { readonly hosts: readonly string[] }>;
  /** Built-in tools by name. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  /** Names of all tools of the agent. */
  readonly toolNames: ReadonlySet<string>;
  readonly argumentValidator: ArgumentValidator;
}

/** Limits for a template, large enough for the largest body, the longest URL, and all headers and names. */
export const ARGS_LIMITS = { maxDepth: 32, maxCharacters: 131_072 } as const;

/** Maximum number of placeholders, because each of them is filled in for every call. */
const MAX_PLACEHOLDERS = 1_000;

/**
 * Checks the arguments, secrets and delegations of an agent's composed tools. Their schemas, options and names are
 * checked elsewhere.
 *
 * @returns the findings, with paths such as `tools[0].implementation.args.headers.X-A`. The code of an error is one of
 *   `COMPOSED_TOOL_CODES`, the code of a warning one of `COMPOSED_TOOL_WARNING_CODES`.
 */
export function checkComposedTools(
  placed: readonly PlacedComposedTool[],
  context: ComposedToolContext,
): readonly AgentFinding[] {
  const targets: Targets = {
    builtins: context.builtins,
    tools: new Map(placed.map(({ tool }) => [tool.name, tool])),
  };
  return placed.flatMap(({ tool, path }) => {
    const reader = createTemplateReader(scopeOf(tool.parameters));
    checkNames(tool, path, context, reader);
    checkTarget(tool, `${path}.implementation.primitive`, targets, context, reader);
    checkArguments(tool, `${path}.implementation.args`, targets, context, reader);
    checkSeverity(tool, path, targets, reader);
    return reader.problems;
  });
}

function checkNames(
  { name, parameters }: ComposedToolDefinition,
  path: string,
  { builtins }: ComposedToolContext,
  reader: TemplateReader,
): void {
  if (isReservedName(name, builtins)) {
    const message = `expected another name: ${name} is reserved for a primitive or a built-in tool`;
    reader.refuse(`${path}.name`, "RESERVED_NAME", message);
  }
  for (const parameter of scopeOf(parameters).parameters) {
    if (isPlaceholderName(parameter) && parameter !== "secrets" && !FORBIDDEN_KEYS.has(parameter)) continue;
    const message =
      "expected a name of letters, digits, _ and - that starts with a letter or _, other than secrets, __proto__, " +
      "constructor and prototype";
    reader.refuse(`${path}.parameters.properties.${parameter}`, "BAD_PARAMETER_NAME", message);
  }
}

function checkTarget(
  tool: ComposedToolDefinition,
  path: string,
  targets: Targets,
  { builtins, toolNames }: ComposedToolContext,
  reader: TemplateReader,
): void {
  const { primitive } = tool.implementation;
  if (findTarget(primitive, targets) === undefined) {
    const known = namesOfPrimitives(builtins).join(", ");
    if (isUnsupportedTarget(primitive, builtins)) {
      reader.refuse(path, "UNKNOWN_PRIMITIVE", `expected ${known} or another composed tool, not ${primitive}`);
      return;
    }
    const why = toolNames.has(primitive) ? "is a tool of another kind" : "is not a tool of this agent";
    reader.refuse(path, "UNKNOWN_TOOL", `expected ${known} or a composed tool of this agent; ${primitive} ${why}`);
    return;
  }
  const { names, isCircle } = delegationsOf(tool, targets);
  const chain = names.join(" → ");
  if (isCircle)
    reader.refuse(path, "DELEGATION_CYCLE", `expected delegations that end at a primitive, not a cycle: ${chain}`);
  else if (names.length - 1 > MAX_DELEGATIONS) {
    const message = `expected at most ${MAX_DELEGATIONS} delegations; these are ${names.length - 1}: ${chain}`;
    reader.refuse(path, "DELEGATION_TOO_DEEP", message);
  }
}

/** Checks that a tool does not declare a milder side effect or risk than the tools to which it delegates. */
function checkSeverity(tool: ComposedToolDefinition, path: string, targets: Targets, reader: TemplateReader): void {
  const traits = effectiveTraits(tool, targets);
  if (traits === undefined || traits.last === tool) return;
  const { ofTargets } = traits;
  for (const field of ["sideEffect", "risk"] as const) {
    if (tool[field] === undefined || tool[field] === traits[field]) continue;
    const message = `expected at least ${ofTargets[field]}, because the tool calls ${tool.implementation.primitive}`;
    reader.refuse(`${path}.${field}`, "WEAKER_THAN_TARGET", message);
  }
}

function checkArguments(
  tool: ComposedToolDefinition,
  path: string,
  targets: Targets,
  context: ComposedToolContext,
  reader: TemplateReader,
): void {
  const { args, primitive } = tool.implementation;
  const excess = listShapeProblems(args, ARGS_LIMITS).find(({ code }) => code !== "FORBIDDEN_KEY");
  if (excess !== undefined) {
    const { maxCharacters, maxDepth } = ARGS_LIMITS;
    const message = `expected JSON of at most ${maxCharacters} characters and ${maxDepth} levels`;
    reader.refuse(path, "ARGS_TOO_LARGE", message);
    return;
  }
  if (placeholdersIn(args) > MAX_PLACEHOLDERS) {
    reader.refuse(path, "ARGS_TOO_LARGE", `expected at most ${MAX_PLACEHOLDERS} placeholders`);
    return;
  }
  const target = findTarget(primitive, targets);
  if (target === undefined) {
    // Without a target, only the syntax of the templates can be checked.
    reader.members(args, path);
    return;
  }
  const implementation = parseImplementation(tool, target, path, reader);
  if (!("primitive" in target)) {
    const schema = definitionOf(target).parameters;
    checkHandedOn(args, path, schema, reader);
    if (implementation !== undefined && "args" in implementation) {
      checkFixed(implementation.args, path, schema, context.argumentValidator, reader);
    }
    refuseSecrets(reader);
  } else checkSecrets(implementation, context, reader);
  if (implementation !== undefined && !isFixed(implementation)) {
    const filled =
      "args" in implementation ? { ...definitionOf(implementation.target), ...implementation } : implementation;
    checkArgumentTypes(filled, tool.parameters, path, reader);
  }
  for (const name of scopeOf(tool.parameters).parameters) {
    if (reader.read.has(name)) continue;
    const message = `${name} is not used in the arguments: its value has no effect`;
    reader.warn(path, "UNUSED_PARAMETER", message);
  }
}

/** Returns the number of placeholders, including malformed ones. */
function placeholdersIn(args: JsonObject): number {
  return JSON.stringify(args).match(/(?<!\$)\$\{/g)?.length ?? 0;
}

/** Checks the names of the arguments against the parameters of the target. */
export function checkHandedOn(
  args: JsonObject,
  path: string,
  schema: Readonly<Record<string, unknown>>,
  reader: TemplateReader,
): void {
  const { parameters, required } = scopeOf(schema);
  if (schema["additionalProperties"] === false) {
    for (const name of Object.keys(args).filter((name) => !parameters.has(name))) {
      reader.refuse(`${path}.${name}`, "UNKNOWN_ARG", `expected one of ${[...parameters].join(", ") || "none"}`);
    }
  }
  for (const name of [...required].filter((name) => !Object.hasOwn(args, name))) {
    reader.refuse(`${path}.${name}`, "MISSING_ARG", `expected a value for ${name}, which is required`);
  }
}

/** Checks whether all arguments are the same in every call, in which case `checkFixed` has checked them. */
function isFixed(implementation: Implementation): boolean {
  return "args" in implementation && implementation.args.every(([, value]) => "literal" in value);
}

/** Validates arguments without placeholders. They are the same in every call, so they can be validated in advance. */
function checkFixed(
  args: ArgumentTemplates,
  path: string,
  schema: Readonly<Record<string, unknown>>,
  validator: ArgumentValidator,
  reader: TemplateReader,
): void {
  const fixed = args.flatMap(([name, value]) => ("literal" in value ? [[name, value.literal] as const] : []));
  const isSound = reader.problems.every(({ severity }) => severity === "warning");
  if (fixed.length < args.length || fixed.length === 0 || !isSound) return;
  // An invalid schema has a separate finding.
  if (checkParametersSchema(schema).length > 0) return;
  const hash = `sha256:${createHash("sha256").update(canonicalJson(schema)).digest("hex")}`;
  const check = validator.validate(hash, schema, Object.fromEntries(fixed));
  if (!check.valid) reader.refuse(path, "INVALID_ARG", check.message);
}

/** Refuses secrets in arguments for a tool. */
export function refuseSecrets(reader: TemplateReader): void {
  for (const { name, path } of reader.secretUses) {
    const message = `expected no secret: only http_request and webhook can send ${name}`;
    reader.refuse(path, "SECRET_NOT_ALLOWED_HERE", message);
  }
}

function checkSecrets(
  implementation: Implementation | undefined,
  { secrets }: ComposedToolContext,
  reader: TemplateReader,
): void {
  const host =
    implementation !== undefined && "request" in implementation ? implementation.request.url.host : undefined;
  for (const { name, path } of reader.secretUses) {
    const secret = secrets.get(name);
    if (secret === undefined) {
      reader.refuse(path, "UNKNOWN_SECRET", `expected a secret of the workspace; ${name} does not exist`);
    } else if (host !== undefined && !hostIsBound(host, secret.hosts)) {
      const hosts = secret.hosts.length === 0 ? "has no hosts" : `has the hosts ${secret.hosts.join(", ")}`;
      const message = `expected a secret that may be sent to ${host}; ${name} ${hosts}`;
      reader.refuse(path, "SECRET_HOST_MISMATCH", message);
    }
  }
}
