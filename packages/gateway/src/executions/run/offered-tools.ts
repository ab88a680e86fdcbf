import { isArtifact } from "@yagate/execution-machine/result-tokens";
import type { ExecutionState } from "@yagate/execution-machine/state";
import { roomForTools } from "@yagate/execution-machine/tool-search";
import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { cutText } from "@yagate/lib/text/cut-text";
import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import type { ModelTool } from "@yagate/models/port";
import { MAX_TOOLS_PER_AGENT } from "@yagate/protocol";
import { TOOL_SEARCH } from "@yagate/tool-search/search-definition";
import { LRUCache } from "lru-cache";
import type { Refusal, Tool, Toolset } from "../../tools/port.ts";
import { refuse, unknownTool } from "../../tools/toolset/refusal.ts";
import { routedToolset } from "../../tools/toolset/routed-toolset.ts";

/** The tools of a model turn. */
export interface OfferedTools {
  /** The definitions that the model reads. */
  readonly tools: readonly ModelTool[];
  /** The tools that its calls may use. It rejects calls of tools that are deferred. */
  readonly toolset: Toolset;
  readonly canReadArtifacts: boolean;
}

/**
 * Returns the tools that a model turn is offered. They follow from the state, so that a repeated turn is offered the
 * same tools.
 */
export function offeredTools(state: ExecutionState, toolset: Toolset): OfferedTools {
  const hasArtifacts = state.turns.some(({ calls }) => calls.some(isArtifact));
  const offered = routedToolset(hasArtifacts ? toolset.withArtifacts : toolset, state.route);
  const reader = hasArtifacts ? offered.tools.get(READ_ARTIFACT) : undefined;
  // A custom tool of the agent with this name can't read artifacts.
  const canReadArtifacts = reader?.kind === "data" && reader.policyDecision.decision !== "denied";
  if (state.toolSearch === null) return { toolset: offered, tools: allTools(offered), canReadArtifacts };
  // Loaded tools come last, in order of discovery: a provider caches the definitions up to the first that differs.
  const loaded = state.loadedTools.map(({ name }) => name);
  const carried = new Set([...state.toolSearch.shown, ...preferredTools(state), TOOL_SEARCH, ...loaded]);
  const names = [...carried].filter((name) => offered.tools.has(name));
  return {
    toolset: rejectingDeferred(offered, names, roomForTools(state) === 0),
    tools: someTools(offered, names),
    canReadArtifacts,
  };
}

/** Returns the tools of intents that the request needs, which are never deferred. */
function preferredTools({ route }: ExecutionState): readonly string[] {
  return (route?.intents ?? []).flatMap(({ reason, tool }) =>
    reason === "rule" || reason === "required" || reason === "caller" ? [tool] : [],
  );
}

const toolsOfToolset = new WeakMap<Toolset, readonly ModelTool[]>();

// Every model turn of an agent version gets the same array, so that the model layer converts it once.
function allTools(toolset: Toolset): readonly ModelTool[] {
  const known = toolsOfToolset.get(toolset);
  if (known !== undefined) return known;
  // Without a search in this execution, its tool would find nothing that is not offered.
  const own = [...toolset.tools.values()].filter(({ name }) => toolset.search === undefined || name !== TOOL_SEARCH);
  const tools = own.map(toModelTool);
  toolsOfToolset.set(toolset, tools);
  return tools;
}

/** Number of sets of loaded tools that are kept for a toolset. */
const MAX_SETS = 50;
const setsOfToolset = new WeakMap<Toolset, LRUCache<string, readonly ModelTool[]>>();

function someTools(toolset: Toolset, names: readonly string[]): readonly ModelTool[] {
  const sets = setsOfToolset.get(toolset) ?? new LRUCache({ max: MAX_SETS });
  setsOfToolset.set(toolset, sets);
  const key = names.join("\n");
  const known = sets.get(key);
  if (known !== undefined) return known;
  const tools = names.flatMap((name) => toolset.tools.get(name) ?? []).map(toModelTool);
  sets.set(key, tools);
  return tools;
}

function toModelTool({ name, description, parameters }: Tool): ModelTool {
  return { name, description, parameters };
}

/** Rejects calls of deferred tools, which are loaded instead, and names only the offered tools to the model. */
function rejectingDeferred(toolset: Toolset, offered: readonly string[], isFull: boolean): Toolset {
  const carried = new Set(offered);
  return {
    ...toolset,
    refusalOf(call) {
      const tool = toolset.tools.get(call.name);
      if (tool !== undefined && (carried.has(tool.name) || isDenied(tool))) {
        return isFull && tool.name === TOOL_SEARCH ? refuse("BUDGET_EXCEEDED", FULL) : toolset.refusalOf(call);
      }
      const meant = tool ?? toolset.tools.get(namesByKey(toolset).get(toolNameKey(call.name)) ?? "");
      if (meant === undefined || carried.has(meant.name) || isDenied(meant)) {
        return refuse("UNKNOWN_TOOL", `${unknownTool(call.name, offered)}; find others with ${TOOL_SEARCH}`);
      }
      return isFull ? refuse("BUDGET_EXCEEDED", FULL) : notLoaded(meant);
    },
  };
}

function isDenied({ policyDecision }: Tool): boolean {
  return policyDecision.decision === "denied";
}

const keysOfToolset = new WeakMap<Toolset, ReadonlyMap<string, string>>();

/** A model that has not seen a definition may write a name as providers do, with `_` instead of a dot. */
function namesByKey(toolset: Toolset): ReadonlyMap<string, string> {
  const known = keysOfToolset.get(toolset);
  if (known !== undefined) return known;
  const names = new Map([...toolset.tools.keys()].map((name) => [toolNameKey(name), name]));
  keysOfToolset.set(toolset, names);
  return names;
}

const FULL = `a model turn carries at most ${MAX_TOOLS_PER_AGENT} tools, and this execution has loaded that many; use those`;
const MAX_SCHEMA_CHARACTERS = 8_000;

function notLoaded({ name, parameters }: Tool): Refusal {
  const schema = cutText(JSON.stringify(parameters), MAX_SCHEMA_CHARACTERS);
  const message = `${name} was not loaded, so the call did not run; it is loaded now, and its arguments have this schema: ${schema}`;
  return { ...refuse("TOOL_NOT_LOADED", message), loads: [name] };
}
