import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { listShapeProblems } from "@yagate/lib/json/json-shape";
import {
  type AgentPolicy,
  type CompleteToolDefinition,
  type ComposedToolDefinition,
  isComposedTool,
} from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import type { ArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { checkParameters } from "@yagate/tool-definitions/checks/check-parameters";
import { checkProjection } from "@yagate/tool-definitions/checks/check-projection";
import { checkResourceKey } from "@yagate/tool-definitions/checks/check-resource-key";
import { checkSideEffect } from "@yagate/tool-definitions/checks/check-side-effect";
import type { HandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import type { DescribeSecrets } from "@yagate/tool-definitions/checks/secret-lookups";
import { fixedOrigin } from "@yagate/tool-definitions/placeholders/url-template";
import { approvalOf, effectiveTraits } from "../composed/effective-traits.ts";
import type { Targets } from "../composed/target.ts";
import { toolName } from "../toolset/tool-entry.ts";
import { ARGS_LIMITS, checkComposedTools, type PlacedComposedTool } from "./check-composed-tools.ts";
import { checkPolicy } from "./check-policy.ts";

export interface ComposedToolCheckOptions {
  readonly handlerUrlProblem: HandlerUrlCheck;
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly argumentValidator: ArgumentValidator;
  /** Returns metadata of secrets. Called only if a template refers to a secret. */
  readonly describeSecrets: DescribeSecrets;
}

/** Checks the composed tools of an agent: their templates, schemas, policy and order. */
export async function checkAgentComposedTools(
  tools: readonly CompleteToolDefinition[],
  policy: AgentPolicy,
  options: ComposedToolCheckOptions,
): Promise<readonly AgentFinding[]> {
  const placed = tools.flatMap((tool, index) => (isComposedTool(tool) ? [{ tool, path: `tools[${index}]` }] : []));
  if (placed.length === 0) return [];
  const { builtins, argumentValidator, describeSecrets } = options;
  const named = placed.flatMap(({ tool }) => secretsNamedBy(tool));
  const secrets = named.length === 0 ? NO_SECRETS : await describeSecrets([...new Set(named)]);
  const toolNames = new Set(tools.map(toolName));
  const found = checkComposedTools(placed, { secrets, builtins, toolNames, argumentValidator });
  const known = new Set(found.filter(({ severity }) => severity === "error").map(({ path }) => path));
  const others = await checkOneByOne(placed, policy, options);
  // Each path gets only one set of findings, the more specific one.
  return [...found, ...others.filter(({ path }) => !known.has(path))];
}

async function checkOneByOne(
  placed: readonly PlacedComposedTool[],
  policy: AgentPolicy,
  { builtins, handlerUrlProblem }: ComposedToolCheckOptions,
): Promise<readonly AgentFinding[]> {
  const targets: Targets = { builtins, tools: new Map(placed.map(({ tool }) => [tool.name, tool])) };
  const findings: AgentFinding[] = [];
  for (const { tool, path } of placed) {
    // The check of a large schema takes a while, so other requests run between two checks.
    await yieldToEventLoop();
    findings.push(...checkParameters(tool.parameters, path), ...checkProjection(tool.projection, path));
    const traits = effectiveTraits(tool, targets);
    if (traits === undefined) continue;
    const { kind, sideEffect } = traits;
    const declared = sideEffect === undefined ? tool : { ...tool, sideEffect };
    if (traits.last === tool) findings.push(...(await checkUrl(tool, path, handlerUrlProblem)));
    findings.push(...checkSideEffect(tool.name, sideEffect, path), ...checkResourceKey(declared, path));
    const approval = approvalOf(tool, traits, policy);
    findings.push(...checkPolicy(tool.name, path, policy, { kind, risk: traits.risk ?? null, approval }));
  }
  return findings;
}

async function checkUrl(
  { implementation }: ComposedToolDefinition,
  path: string,
  problemOf: HandlerUrlCheck,
): Promise<readonly AgentFinding[]> {
  const origin = fixedOrigin(implementation.args["url"]);
  const message = origin === undefined ? undefined : await problemOf(`${origin}/`);
  if (message === undefined) return [];
  return [{ severity: "error", path: `${path}.implementation.args.url`, code: "URL_NOT_ALLOWED", message }];
}

const NO_SECRETS: Awaited<ReturnType<DescribeSecrets>> = new Map();
const SECRET = /\$\{secrets\.(\w+)\}/g;

/**
 * Returns the names of all secrets that the arguments might refer to. The check of the template determines which of
 * them it does refer to.
 */
export function secretsNamedBy({ implementation: { args } }: ComposedToolDefinition): readonly string[] {
  const isPlain = listShapeProblems(args, ARGS_LIMITS).every(({ code }) => code === "FORBIDDEN_KEY");
  return isPlain ? Array.from(JSON.stringify(args).matchAll(SECRET), ([, name = ""]) => name) : [];
}
