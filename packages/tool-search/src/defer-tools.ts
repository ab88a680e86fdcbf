import { estimateTokens } from "@yagate/lib/text/token-estimate";
import { createWildcard } from "@yagate/lib/text/wildcard";

/** Which tools of an agent are deferred. */
export interface DeferralSettings {
  /** `auto` defers tools only if they exceed `maxTools` or `maxTokens`; `always` does so in any case. */
  readonly mode: "auto" | "always" | "off";
  /** Number of tools that a model turn may carry before tools are deferred. */
  readonly maxTools: number;
  /** Estimated tokens of their definitions. */
  readonly maxTokens: number;
  /** Names of tools that are never deferred. `*` stands for any characters. */
  readonly pinned: readonly string[];
}

/** The parts of a definition that a model reads. */
export interface DefinedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** The decision for an execution. */
export interface Deferral {
  /** Names of the tools that every model turn carries, in the order of the tools. */
  readonly shown: readonly string[];
  /** Names of the tools that the model has to find, in the order of the tools; at least one. */
  readonly deferred: readonly string[];
  /** Estimated tokens of the definitions of the deferred tools. */
  readonly deferredTokens: number;
}

/** Decides which tools are deferred; undefined if every model turn carries all of them. */
export function deferTools(tools: readonly DefinedTool[], settings: DeferralSettings): Deferral | undefined {
  const { mode, maxTools, maxTokens, pinned } = settings;
  if (mode === "off") return undefined;
  const sizes = tools.map(definitionTokens);
  const isWithin = tools.length <= maxTools && sum(sizes) <= maxTokens;
  if (mode === "auto" && isWithin) return undefined;
  const patterns = pinned.map(createWildcard);
  const isPinned = ({ name }: DefinedTool) => patterns.some((matches) => matches(name));
  const deferred = tools.filter((tool) => !isPinned(tool));
  if (deferred.length === 0) return undefined;
  return {
    shown: tools.filter(isPinned).map(({ name }) => name),
    deferred: deferred.map(({ name }) => name),
    deferredTokens: sum(tools.map((tool, index) => (isPinned(tool) ? 0 : (sizes[index] ?? 0)))),
  };
}

/**
 * Returns how many tools a model turn carries before the model has found any, at most. The descriptions of the tools
 * need not be known.
 *
 * @param settings - undefined for an agent without tool search.
 */
export function mostCarried(names: readonly string[], settings: DeferralSettings | undefined): number {
  if (settings === undefined || settings.mode === "off") return names.length;
  if (settings.mode === "auto" && names.length <= settings.maxTools) return names.length;
  const patterns = settings.pinned.map(createWildcard);
  const pinned = names.filter((name) => patterns.some((matches) => matches(name))).length;
  return Math.min(pinned + 1, names.length);
}

/** Estimates the tokens of a definition in a model request. */
export function definitionTokens({ name, description, parameters }: DefinedTool): number {
  return estimateTokens(JSON.stringify({ name, description, parameters }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
