import type { ExecutionConfig, RecordedParts, ToolTraits } from "@yagate/execution-machine/execution-config";
import { defined } from "@yagate/lib/objects/defined";
import { DEFAULT_LIMITS, type Limits } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import { parseResourceKey } from "@yagate/tool-definitions/placeholders/resource-key";
import type { Tool, Toolset } from "../../tools/port.ts";
import type { RecordedRun } from "../recording/recorded-run.ts";
import type { LoadedAgent } from "./loaded-agents.ts";

/** The maximum waits of an execution for approvals and for callbacks, in ms. */
export type WaitTimes = Pick<ExecutionConfig, "approvalExpiryMs" | "callbackExpiryMs">;

/** Creates the configuration of an execution from its request and its version of the agent. */
export function toExecutionConfig(
  row: ExecutionRow,
  {
    agent,
    toolset,
    sourceTools = [],
    heldTools,
    approvalExpiryMs,
    callbackExpiryMs,
    recorded,
    nextCapability,
  }: LoadedAgent &
    WaitTimes & { readonly recorded?: RecordedRun | undefined } & {
      readonly nextCapability?: ExecutionConfig["nextCapability"];
    },
): ExecutionConfig {
  return {
    executionId: row.id,
    agentId: row.agentId,
    agentVersion: row.agentVersion,
    model: agent.model,
    input: row.request.input,
    limits: lowerLimits(agent.limits, row.request.limits),
    fallbackWaitMs: row.request.fallback?.waitMs ?? null,
    approvalExpiryMs,
    callbackExpiryMs,
    tools: traitsOf(toolset),
    sourceTools,
    ...(row.request.routing?.requireCitations === true ? { requireCitations: true } : {}),
    ...defined({ nextCapability, heldTools, toolSearch: toolset.search, mode: row.mode, replayOf: row.replay?.of }),
    ...(recorded === undefined ? {} : { recorded: toRecordedParts(recorded, toolset) }),
  };
}

function toRecordedParts({ lastReplyTurn, lastCallTurn, copiedTools }: RecordedRun, toolset: Toolset): RecordedParts {
  const known = traitsOf(toolset);
  const missing = [...copiedTools].filter((name) => !known.has(name)).map((name) => [name, MISSING] as const);
  const tools = [...missing, ...known].map(
    // A recorded call takes no time of its tool, calls no model, and has its final outcome at once.
    ([name, traits]) => [name, { ...traits, executor: "inline", isAsync: false, asksModel: false }] as const,
  );
  return { lastReplyTurn, lastCallTurn, tools: new Map(tools) };
}

const NO_TARGET = () => ({ method: "", url: "" });

/** The traits of a tool that the agent no longer has. Its recorded outcome needs none of them. */
const MISSING: ToolTraits = {
  ...{ executor: "inline", targetOf: NO_TARGET, timeoutMs: 1, retries: 0, sideEffect: null, isAsync: false },
  ...{ maxCallsPerTurn: null, parallelGroup: null, resourceKeyOf: null, dependsOn: [] },
};

const traitsOfToolset = new WeakMap<Toolset, ReadonlyMap<string, ToolTraits>>();

function traitsOf(toolset: Toolset): ReadonlyMap<string, ToolTraits> {
  const known = traitsOfToolset.get(toolset);
  if (known !== undefined) return known;
  const tools = [...toolset.withArtifacts.tools, ...(toolset.routed?.tools ?? [])];
  const traits = new Map(tools.map(([name, tool]) => [name, toTraits(tool)]));
  traitsOfToolset.set(toolset, traits);
  return traits;
}

function toTraits(tool: Tool): ToolTraits {
  const { options, targetOf, timeoutMs, handler, sideEffect, isPrimitive = false, asksModel = false } = tool;
  const { resourceKey } = options;
  return {
    executor: targetOf === undefined ? "inline" : "attempts",
    targetOf: targetOf ?? NO_TARGET,
    timeoutMs,
    retries: options.retries ?? 0,
    sideEffect,
    isPrimitive,
    asksModel,
    isAsync: handler?.async === true,
    maxCallsPerTurn: options.maxCallsPerTurn ?? null,
    parallelGroup: options.parallelGroup ?? null,
    resourceKeyOf: resourceKey === undefined ? null : (parseResourceKey(resourceKey)?.render ?? null),
    dependsOn: options.dependsOn ?? [],
  };
}

type PartialLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

/** Returns the limits with the defaults filled in. */
export function withDefaultLimits(limits: PartialLimits | undefined): Limits {
  return {
    maxToolIterations: limits?.maxToolIterations ?? DEFAULT_LIMITS.maxToolIterations,
    maxToolCallsPerTurn: limits?.maxToolCallsPerTurn ?? DEFAULT_LIMITS.maxToolCallsPerTurn,
    maxWallTimeMs: limits?.maxWallTimeMs ?? DEFAULT_LIMITS.maxWallTimeMs,
    maxToolCostUsd: limits?.maxToolCostUsd ?? DEFAULT_LIMITS.maxToolCostUsd,
    maxToolResultTokens: limits?.maxToolResultTokens ?? DEFAULT_LIMITS.maxToolResultTokens,
    maxSameToolRetries: limits?.maxSameToolRetries ?? DEFAULT_LIMITS.maxSameToolRetries,
    maxCostUsd: limits?.maxCostUsd ?? DEFAULT_LIMITS.maxCostUsd,
    maxTotalTokens: limits?.maxTotalTokens ?? DEFAULT_LIMITS.maxTotalTokens,
  };
}

/**
 * Returns the agent's limits, lowered to those that an execution requests. A requested limit that is higher than the
 * agent's has no effect.
 */
export function lowerLimits(saved: PartialLimits, wish: PartialLimits | undefined): Limits {
  const agent = withDefaultLimits(saved);
  return {
    maxToolIterations: lower(agent.maxToolIterations, wish?.maxToolIterations),
    maxToolCallsPerTurn: lower(agent.maxToolCallsPerTurn, wish?.maxToolCallsPerTurn),
    maxWallTimeMs: lower(agent.maxWallTimeMs, wish?.maxWallTimeMs),
    maxToolCostUsd: lowerOrNone(agent.maxToolCostUsd, wish?.maxToolCostUsd),
    maxToolResultTokens: lower(agent.maxToolResultTokens, wish?.maxToolResultTokens),
    maxSameToolRetries: lower(agent.maxSameToolRetries, wish?.maxSameToolRetries),
    maxCostUsd: lowerOrNone(agent.maxCostUsd, wish?.maxCostUsd),
    maxTotalTokens: lowerOrNone(agent.maxTotalTokens, wish?.maxTotalTokens),
  };
}

function lower(limit: number, wish: number | undefined): number {
  return wish === undefined ? limit : Math.min(limit, wish);
}

/** Returns the lower limit. Null means no limit. */
function lowerOrNone(limit: number | null, wish: number | null | undefined): number | null {
  if (wish === undefined || wish === null) return limit;
  return limit === null ? wish : Math.min(limit, wish);
}
