import { isJsonObject } from "@yagate/lib/json/json-object";
import {
  type ApprovalMode,
  type ComposedToolDefinition,
  type RiskClass,
  riskClassSchema,
  type SideEffect,
  sideEffectSchema,
} from "@yagate/protocol";
import { overridesMethod } from "@yagate/tool-definitions/request/method-override";
import { riskOf } from "../../policy/risk.ts";
import { delegationsOf, findTarget, type Targets } from "./target.ts";

/** The side effect and risk of a call; undefined where neither is declared nor follows from the target. */
export interface Severity {
  readonly sideEffect: SideEffect | undefined;
  readonly risk: RiskClass | undefined;
}

/**
 * What the calls of a composed tool do: as its author declares, or as follows from its target, and never less than
 * the tools that it delegates to.
 */
export interface EffectiveTraits extends Severity {
  readonly kind: "network" | "compute";
  /** The tool whose primitive runs: the tool itself, or the last one of its delegations. */
  readonly last: ComposedToolDefinition;
  /** The strictest values of the tools that it delegates to. */
  readonly ofTargets: Severity & { readonly approval: ApprovalMode | undefined };
}

/** @returns undefined for a tool without a target that runs. */
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

/** The approval mode of a composed tool: its own or its agent's, and at least the strictest of its targets. */
export function approvalOf(
  { approval }: Pick<ComposedToolDefinition, "approval">,
  { ofTargets }: Pick<EffectiveTraits, "ofTargets">,
  policy: { readonly approval: ApprovalMode },
): ApprovalMode | undefined {
  return ofTargets.approval === undefined
    ? approval
    : strictestApproval([approval ?? policy.approval, ofTargets.approval]);
}

// The protocol lists both from the mildest to the most severe.
const SIDE_EFFECTS = sideEffectSchema.options;
const RISKS = riskClassSchema.options;
/** In order: each mode requires approval for everything that the mode before it does. */
const MODES: readonly ApprovalMode[] = ["never", "destructive", "writes", "always"];

/** The most severe of the declared side effects; undefined if none is declared. */
function strictestSideEffect(declared: readonly (SideEffect | undefined)[]): SideEffect | undefined {
  return SIDE_EFFECTS.findLast((each) => declared.includes(each));
}

/** The most severe of the declared risk classes; undefined if none is declared. */
function strictestRisk(declared: readonly (RiskClass | undefined)[]): RiskClass | undefined {
  return RISKS.findLast((each) => declared.includes(each));
}

/** The strictest of the declared approval modes; undefined if none is declared. */
function strictestApproval(declared: readonly (ApprovalMode | undefined)[]): ApprovalMode | undefined {
  return MODES.findLast((each) => declared.includes(each));
}
