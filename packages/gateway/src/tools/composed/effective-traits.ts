import { isJsonObject } from "@yagate/lib/json/json-object";
import { riskOf } from "@yagate/lib/tools/risk-of";
import { strictestRisk, strictestSideEffect } from "@yagate/lib/tools/strictest";
import type { ApprovalMode, ComposedToolDefinition, RiskClass, SideEffect } from "@yagate/protocol";
import { overridesMethod } from "@yagate/tool-definitions/request/method-override";
import { delegationsOf, findTarget, type Targets } from "./target.ts";

/** The side effect and risk of a call; undefined if they are neither declared nor follow from the target. */
export interface Severity {
  readonly sideEffect: SideEffect | undefined;
  readonly risk: RiskClass | undefined;
}

/**
 * The effective traits of calls to a composed tool: what its author declares, or else what follows from its target, but
 * never milder than the traits of the tools to which it delegates.
 */
export interface EffectiveTraits extends Severity {
  readonly kind: "network" | "compute";
  /**
   * The last tool in the chain of delegations, which refers to the primitive or built-in tool that runs. The composed
   * tool itself if it delegates to no other composed tool.
   */
  readonly last: ComposedToolDefinition;
  /** The strictest values among the tools to which it delegates. */
  readonly ofTargets: Severity & { readonly approval: ApprovalMode | undefined };
}

/**
 * Determines the effective traits of a composed tool.
 * @returns undefined if its delegations do not end at a target that can run.
 */
export function effectiveTraits(tool: ComposedToolDefinition, targets: Targets): EffectiveTraits | undefined {
  const { names, isCircle } = delegationsOf(tool, targets);
  const behind = names.slice(1).flatMap((name) => targets.tools.get(name) ?? []);
  const last = behind.at(-1) ?? tool;
  const target = isCircle ? undefined : findTarget(last.implementation.primitive, targets);
  if (target === undefined || "tool" in target) return undefined;
  const isRead = "primitive" in target && isGet(target.primitive, last);
  const evident = "builtin" in target ? target.builtin.sideEffect : isRead ? "read_only" : undefined;
  const evidentRisk = isRead ? "external_read" : undefined;
  const severityOf = (tools: readonly ComposedToolDefinition[]): Severity => {
    const each = tools.map(({ sideEffect, risk }, index) => {
      const isLast = index === tools.length - 1;
      if (sideEffect !== undefined || !isLast) return { sideEffect, risk };
      return { sideEffect: evident, risk: risk ?? evidentRisk };
    });
    return {
      sideEffect: strictestSideEffect(each.map(({ sideEffect }) => sideEffect)),
      risk: strictestRisk(each.map((one) => riskOf(one) ?? undefined)),
    };
  };
  const approval = strictestApproval(behind.map(({ approval: mode }) => mode));
  return {
    kind: "builtin" in target ? "compute" : "network",
    ...severityOf([tool, ...behind]),
    last,
    ofTargets: { ...severityOf(behind), approval },
  };
}

function isGet(primitive: string, { implementation: { args } }: ComposedToolDefinition): boolean {
  const { method, headers } = args;
  const names = isJsonObject(headers) ? Object.keys(headers) : [];
  return primitive === "http_request" && method === "GET" && !overridesMethod(names);
}

/**
 * Returns the approval mode of a composed tool. If a tool to which it delegates declares a mode, returns the stricter
 * of that mode and the composed tool's mode, or the agent's mode if the composed tool declares none. Otherwise returns
 * the composed tool's own mode, which may be undefined.
 */
export function approvalOf(
  { approval }: Pick<ComposedToolDefinition, "approval">,
  { ofTargets }: Pick<EffectiveTraits, "ofTargets">,
  policy: { readonly approval: ApprovalMode },
): ApprovalMode | undefined {
  return ofTargets.approval === undefined
    ? approval
    : strictestApproval([approval ?? policy.approval, ofTargets.approval]);
}

/** The modes in ascending order: each requires an approval for everything for which the previous one does. */
const MODES: readonly ApprovalMode[] = ["never", "destructive", "writes", "always"];

/** Returns the strictest of the declared approval modes; undefined if none is declared. */
function strictestApproval(declared: readonly (ApprovalMode | undefined)[]): ApprovalMode | undefined {
  return MODES.findLast((each) => declared.includes(each));
}
