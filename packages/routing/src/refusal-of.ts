import { createWildcard } from "@yagate/lib/text/wildcard";
import { COST_CLASSES, type DataClass, type ExecutionRouting, type RouteRefusal } from "@yagate/protocol";
import type { CapabilityEntry } from "./capability-entry.ts";

/** What a gateway knows about a capability when it decides. */
export interface CapabilityFacts {
  readonly entry: CapabilityEntry;
  /** Changes with the capability and its target. */
  readonly version: string;
  /** Whether the target exists and may be used: a saved tool, a tool that its source offers, a tool that the model has. */
  readonly isAvailable: boolean;
  /** Whether calls can succeed, as far as the configuration of the gateway decides that. */
  readonly isConfigured: boolean;
  /** Whether the agent's policy allows calls, after an approval if need be. */
  readonly isAllowed: boolean;
  /** Whether the circuit of its endpoint is open on this replica. */
  readonly isCircuitOpen: boolean;
  /** Whether it has failed in this execution for a reason that another capability may not share. */
  readonly hasFailed: boolean;
}

/** The model of an execution. */
export interface RoutedModel {
  /** Such as `openai`; `scripted` for scripted models. */
  readonly provider: string;
  /** The name without the provider, such as `gpt-5`. */
  readonly model: string;
}

/** The class of the data of an execution that says nothing about it. */
export const DEFAULT_DATA_CLASS: DataClass = "confidential";

/** Returns why a capability cannot serve an execution; undefined if it can. */
export function refusalOf(
  facts: CapabilityFacts,
  routing: ExecutionRouting,
  { provider, model }: RoutedModel,
): RouteRefusal | undefined {
  const { entry } = facts;
  if (!entry.enabled) return "DISABLED";
  if (!fits(entry.providers, provider)) return "PROVIDER";
  if (!fits(entry.modelPatterns, model)) return "MODEL";
  const { scopes = [], region, dataClass = DEFAULT_DATA_CLASS, maxCostClass, requireCitations = false } = routing;
  if (!entry.requiredScopes.every((scope) => scopes.includes(scope))) return "SCOPES";
  if (region !== undefined && entry.regions.length > 0 && !entry.regions.includes(region)) return "REGION";
  if (!dataClassesOf(entry).includes(dataClass)) return "DATA_CLASS";
  if (maxCostClass !== undefined && rank(entry) > COST_CLASSES.indexOf(maxCostClass)) return "COST";
  if (requireCitations && !entry.supportsCitations) return "CITATIONS";
  if (!facts.isAllowed) return "POLICY";
  if (!facts.isAvailable) return "UNAVAILABLE";
  if (!facts.isConfigured) return "NOT_CONFIGURED";
  return facts.isCircuitOpen ? "CIRCUIT_OPEN" : undefined;
}

const ALL: readonly DataClass[] = ["public", "internal", "confidential"];
const SHARED: readonly DataClass[] = ["public", "internal"];

/**
 * Returns the classes of data that a capability may handle. Without a declaration, data classes of targets that other
 * companies run do not include `confidential`.
 */
function dataClassesOf({ dataClasses, mode }: CapabilityEntry): readonly DataClass[] {
  if (dataClasses.length > 0) return dataClasses;
  return mode === "provider_hosted" || mode === "mcp_remote" ? SHARED : ALL;
}

function rank({ costClass }: CapabilityEntry): number {
  return COST_CLASSES.indexOf(costClass);
}

const matchers = new WeakMap<readonly string[], readonly ((text: string) => boolean)[]>();

function fits(globs: readonly string[], text: string): boolean {
  if (globs.length === 0) return true;
  const known = matchers.get(globs) ?? globs.map(createWildcard);
  matchers.set(globs, known);
  return known.some((matches) => matches(text));
}
