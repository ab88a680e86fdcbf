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

/** What the calls of tools are in the end; undefined where nothing says so. */
export interface Severity {
  readonly sideEffect: SideEffect | undefined;
  readonly risk: RiskClass | undefined;
}

/**
 * What the calls of a composed tool are in the end: as its author declares it or as it follows from what it does, and
 * never less than what the tools are that it delegates to.
 */
export interface EffectiveTraits extends Severity {
  readonly kind: "network" | "compute";
  /** The tool whose primitive runs: itself, or the last one that it delegates to. */
  readonly last: ComposedToolDefinition;
  /** Of the tools that it delegates to, without itself. */
  readonly ofTargets: Severity & { readonly approval: ApprovalMode | undefined };
}

/** @returns undefined for a tool that leads nowhere. */
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

/** Which calls of a composed tool ask: as often as it says itself, or else its agent, and as any of its targets says. */
export function approvalOf(
  { approval }: Pick<ComposedToolDefinition, "approval">,
  { ofTargets }: Pick<EffectiveTraits, "ofTargets">,
  policy: { readonly approval: ApprovalMode },
): ApprovalMode | undefined {
  return ofTargets.approval === undefined
    ? approval
    : strictestApproval([approval ?? policy.approval, ofTargets.approval]);
}

// The protocol lists both from the mildest to the gravest.
const SIDE_EFFECTS = sideEffectSchema.options;
const RISKS = riskClassSchema.options;
/** Each asks before all that the one before it asks for. */
const MODES: readonly ApprovalMode[] = ["never", "destructive", "writes", "always"];

/** What does most to the world; undefined: nothing is known of any. */
function strictestSideEffect(declared: readonly (SideEffect | undefined)[]): SideEffect | undefined {
  return SIDE_EFFECTS.findLast((each) => declared.includes(each));
}

/** The class of most harm; undefined: nothing is known of any. */
function strictestRisk(declared: readonly (RiskClass | undefined)[]): RiskClass | undefined {
  return RISKS.findLast((each) => declared.includes(each));
}

/** The mode that asks most often; undefined: there is none. */
function strictestApproval(declared: readonly (ApprovalMode | undefined)[]): ApprovalMode | undefined {
  return MODES.findLast((each) => declared.includes(each));
}
