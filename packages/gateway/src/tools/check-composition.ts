import {
  type AgentPolicy,
  type CompleteToolDefinition,
  type ComposedToolDefinition,
  isComposedTool,
} from "@yagate/protocol";
import { riskOf } from "../policy/risk.ts";
import type { SecretUse } from "../secrets/workspace-secrets.ts";
import type { AgentFinding } from "./agent-finding.ts";
import type { ArgumentValidator } from "./arguments/argument-validator.ts";
import { checkParametersSchema } from "./arguments/check-parameters-schema.ts";
import type { BuiltinTool } from "./builtin/builtin-tool.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkResourceKey } from "./check-resource-key.ts";
import { checkComposedTools, type PlacedComposedTool } from "./composed/check-composed-tools.ts";
import { compileComposedTool } from "./composed/compile-composed-tool.ts";
import { composedSideEffect } from "./composed/composed-side-effect.ts";
import { fieldPath } from "./field-path.ts";
import { parseTemplateText } from "./template-text.ts";
import { toolName } from "./tool-name.ts";

export interface CompositionCheckOptions {
  /** By their own names. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly argumentValidator: ArgumentValidator;
  /** Those secrets of the agent's workspace that there are, by name; no value is opened. */
  readonly describeSecrets: (names: readonly string[]) => Promise<ReadonlyMap<string, SecretUse>>;
}

/** Checks what a composed tool has in common with others. @param path - where it stands, as `tools[0]`. */
export function checkComposedEntry(tool: ComposedToolDefinition, path: string): readonly AgentFinding[] {
  const { parameters } = tool;
  const ofSchema = checkParametersSchema(parameters).map(
    (issue): AgentFinding => ({
      severity: "error",
      path: fieldPath(`${path}.parameters`, parameters, issue.path),
      code: issue.code,
      message: issue.message,
    }),
  );
  return [...ofSchema, ...checkResourceKey(tool, path)];
}

/** Checks the composed tools of an agent together: what they make of their parameters, and where that leads. */
export async function checkComposition(
  tools: readonly CompleteToolDefinition[],
  policy: AgentPolicy,
  { builtins, argumentValidator, describeSecrets }: CompositionCheckOptions,
): Promise<readonly AgentFinding[]> {
  const placed = tools.flatMap((tool, index): readonly PlacedComposedTool[] =>
    isComposedTool(tool) ? [{ tool, path: `tools[${index}]` }] : [],
  );
  if (placed.length === 0) return [];
  const secrets = await describeSecrets([
    ...new Set(placed.flatMap(({ tool }) => secretsIn(tool.implementation.args))),
  ]);
  const toolNames = new Set(tools.map(toolName));
  const findings = checkComposedTools(placed, { builtins, argumentValidator, secrets, toolNames });
  if (findings.some(({ severity }) => severity === "error")) return findings;
  const all = placed.map(({ tool }) => tool);
  return [
    ...findings,
    ...placed.flatMap(({ tool, path }) => {
      const compiled = compileComposedTool(tool, all, { builtins, argumentValidator });
      const sideEffect = composedSideEffect(tool, compiled);
      const risk = riskOf({ sideEffect: sideEffect ?? undefined, risk: tool.risk });
      const { name, approval } = tool;
      const undeclared = sideEffect === null ? [undeclaredSideEffect(name, path)] : [];
      return [...undeclared, ...checkPolicy(name, path, policy, { kind: compiled.kind, risk, approval })];
    }),
  ];
}

function undeclaredSideEffect(name: string, path: string): AgentFinding {
  const message =
    `${name} declares no side effect: unless approval is always, nobody is asked before it runs, and after an unknown ` +
    "outcome it is sent again only if it has retries; declare read_only if it only reads, else idempotent_write, " +
    "non_idempotent_write or destructive";
  return { severity: "warning", path: `${path}.sideEffect`, code: "side_effect_undeclared", message };
}

/** Names of the secrets that a template asks for, however deep. */
function secretsIn(args: unknown): readonly string[] {
  const names: string[] = [];
  const open: unknown[] = [args];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") {
      for (const token of parseTemplateText(next) ?? []) if ("secret" in token) names.push(token.secret);
    } else if (typeof next === "object" && next !== null) open.push(...Object.values(next));
  }
  return names;
}
