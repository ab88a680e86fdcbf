import { defined } from "@yagate/lib/objects/defined";
import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import {
  type Agent,
  type HeldTools,
  isToolReference,
  isToolSourceReference,
  MAX_TOOLS_PER_AGENT,
  type PinnedSourceTool,
  type ToolSourceReference,
  type ToolSourceSettings,
  toolSourceNameSchema,
  YagateError,
} from "@yagate/protocol";
import type { SourceDefinition, ToolSourceRow, ToolSourceStore } from "@yagate/store/port";
import { mostCarried } from "@yagate/tool-search/defer-tools";
import { isSearchable } from "@yagate/tool-search/search-definition";
import { type JudgedTool, judgeTools } from "@yagate/tool-sources/offered-tools";
import { LRUCache } from "lru-cache";
import type { SourcedTool } from "../tools/port.ts";
import { type ResolveReferences, singleTools } from "../tools/toolset/resolve-references.ts";
import { toolName } from "../tools/toolset/tool-entry.ts";
import { UNKNOWN_TOOL_SPACING_MS } from "./port.ts";
import { toKnownTools, toVersion } from "./stored-tools.ts";

interface SourceToolsOptions {
  readonly store: Pick<
    ToolSourceStore,
    "find" | "findByName" | "tools" | "adoptedTools" | "findDefinitions" | "requestSync"
  >;
  readonly resolveReferences: ResolveReferences;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Maximum length of all cached definitions, in characters; default 64 Mi. */
  readonly maxCharacters?: number;
}

/** A source with its tools. */
interface SourceWithTools {
  readonly id: string;
  readonly name: string;
  readonly settings: ToolSourceSettings;
  readonly tools: readonly JudgedTool[];
  /** The ids of the workspace tools that follow tools of the source, by the published names. */
  readonly toolIds: ReadonlyMap<string, string>;
}

/** A tool that an agent does not get, because another tool of the agent has its name. */
export interface ToolNameConflict {
  /** The index of the source's reference in the agent's tools. */
  readonly index: number;
  /** The name of the tool for models. */
  readonly name: string;
  /** The name of the tool that has the name. */
  readonly holder: string;
}

/** The tools of sources, for agents and their executions. */
export interface SourceTools {
  /** Finds a source by its name or id. */
  find(workspaceId: string, nameOrId: string): Promise<SourceWithTools | undefined>;
  /**
   * Returns the tools that the agent's sources offer, in the order of the agent's tools, and those that are held. A tool
   * whose name equals that of another tool of the agent, or that one of its workspace tools follows, is left out; the
   * agent's own tools come first.
   * @throws YagateError `TOO_MANY_TOOLS` if a model turn would carry more than 128 tools.
   */
  resolve(
    workspaceId: string,
    agent: Pick<Agent, "tools" | "toolSearch">,
  ): Promise<{
    readonly pins: readonly PinnedSourceTool[];
    readonly heldTools?: HeldTools;
    readonly conflicts: readonly ToolNameConflict[];
  }>;
  /** Like `resolve`, but without the limit on the number of tools. */
  match: SourceTools["resolve"];
  /** Reads the definitions of tools, in the same order. */
  load(pins: readonly PinnedSourceTool[]): Promise<readonly SourcedTool[]>;
  /** Makes the next sync of a source due, because it does not know one of its tools: at most once a minute. */
  onUnknownTool(tool: PinnedSourceTool): void;
}

/** Maximum number of held tools that an execution names. */
const MAX_NAMED_HELD_TOOLS = 20;

interface Cached extends Pick<SourceWithTools, "tools" | "toolIds"> {
  readonly characters: number;
}

export function createSourceTools({
  store,
  resolveReferences,
  now,
  onError,
  maxCharacters = 67_108_864,
}: SourceToolsOptions): SourceTools {
  async function read({ id, name, kind, settings }: ToolSourceRow): Promise<Cached> {
    const rows = await store.tools(id);
    const lengthOf = (definition: SourceDefinition | null) => definition?.content.length ?? 0;
    const characters = rows.reduce((sum, row) => sum + lengthOf(row.published) + lengthOf(row.accepted), 1);
    const adopted = kind === "openapi" ? await store.adoptedTools(id) : [];
    const toolIds = new Map(adopted.map((tool) => [tool.name, tool.toolId]));
    return { tools: judgeTools(toKnownTools(rows), { name, ...settings }), toolIds, characters };
  }

  const judged = new LRUCache<string, Cached, ToolSourceRow>({
    max: 1_000,
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => characters,
    fetchMethod: (_key, _stale, { context }) => read(context),
    ignoreFetchAbort: true,
  });

  async function find(workspaceId: string, nameOrId: string): Promise<SourceWithTools | undefined> {
    const isName = toolSourceNameSchema.safeParse(nameOrId).success;
    const named = isName ? await store.findByName(workspaceId, nameOrId) : undefined;
    const source = named ?? (await store.find(workspaceId, nameOrId));
    if (source === undefined) return undefined;
    const { id, name, settings, revision, generation } = source;
    const { tools, toolIds } = await judged.forceFetch(`${id}:${revision}:${generation}`, { context: source });
    return { id, name, settings, tools, toolIds };
  }

  async function match(workspaceId: string, { tools }: Pick<Agent, "tools">) {
    const own = await resolveReferences(singleTools(tools));
    const taken = new Map(own.map((tool) => [toolNameKey(toolName(tool)), toolName(tool)]));
    const ownIds = new Set(tools.filter(isToolReference).map(({ tool }) => tool));
    const pins: PinnedSourceTool[] = [];
    const held: string[] = [];
    const counts: string[] = [];
    const conflicts: ToolNameConflict[] = [];
    for (const [index, reference] of tools.entries()) {
      if (!isToolSourceReference(reference)) continue;
      const source = await find(workspaceId, reference.source);
      const wanted = source === undefined ? [] : wantedTools(source, reference, ownIds);
      const offered = source === undefined ? [] : offeredTools(source, wanted);
      held.push(...wanted.filter(isHeld).map((tool) => tool.toolName));
      counts.push(`${source?.name ?? reference.source} ${offered.length}`);
      for (const pin of offered) {
        const key = toolNameKey(pin.name);
        const holder = taken.get(key);
        if (holder === undefined) pins.push(pin);
        else conflicts.push({ index, name: pin.name, holder });
        taken.set(key, holder ?? pin.name);
      }
    }
    const matched = { pins, conflicts, ...defined({ heldTools: toHeldTools(held) }) };
    return { matched, ownNames: own.map(toolName), counts };
  }

  return {
    find,
    match: async (workspaceId, agent) => (await match(workspaceId, agent)).matched,
    async resolve(workspaceId, agent) {
      const { matched, ownNames, counts } = await match(workspaceId, agent);
      const names = [...ownNames, ...matched.pins.map(({ name }) => name)];
      const carried = mostCarried(names, isSearchable(names) ? agent.toolSearch : undefined);
      if (carried > MAX_TOOLS_PER_AGENT) throw tooManyTools(names.length, ownNames.length, counts);
      return matched;
    },
    async load(pins) {
      const found = await store.findDefinitions(pins);
      return pins.map((pin, index) => {
        const { definition, outputSchema } = toVersion(found[index] ?? null)?.compiled ?? {};
        // The name that models read starts with the name of the source.
        const [sourceName = ""] = pin.name.split(".");
        if (definition !== undefined) return { ...pin, sourceName, definition, ...defined({ outputSchema }) };
        throw new YagateError("INTERNAL", "expected the definition of a tool of a source, which an execution uses");
      });
    },
    onUnknownTool({ source }) {
      store.requestSync(source, { now: now(), spacingMs: UNKNOWN_TOOL_SPACING_MS }).catch(onError);
    },
  };
}

/**
 * Returns the tools of a source to which an agent refers.
 * @param ownIds - the workspace tools that the agent names itself. It does not get the tools that they follow again.
 */
function wantedTools(
  { tools, toolIds }: SourceWithTools,
  reference: Pick<ToolSourceReference, "tools">,
  ownIds: ReadonlySet<string>,
): readonly JudgedTool[] {
  const named = reference.tools === undefined ? undefined : new Set(reference.tools);
  return tools.filter(({ tool: { name } }) => {
    const toolId = toolIds.get(name);
    return named?.has(name) !== false && (toolId === undefined || !ownIds.has(toolId));
  });
}

/** Returns those of a source's tools that new executions get. */
function offeredTools({ id }: SourceWithTools, wanted: readonly JudgedTool[]): readonly PinnedSourceTool[] {
  return wanted.flatMap(({ tool, toolName: name, offered }) =>
    offered === null ? [] : [{ source: id, tool: tool.name, name, hash: offered.hash }],
  );
}

/** Whether a tool is off only because its published definition is not accepted. */
function isHeld({ state, offered, conflict }: JudgedTool): boolean {
  return offered === null && conflict === null && (state === "new" || state === "changed");
}

function toHeldTools(names: readonly string[]): HeldTools | undefined {
  return names.length === 0 ? undefined : { count: names.length, names: names.slice(0, MAX_NAMED_HELD_TOOLS) };
}

/** Returns the error for an agent with too many tools. */
function tooManyTools(count: number, own: number, counts: readonly string[]): YagateError {
  return new YagateError(
    "TOO_MANY_TOOLS",
    `expected at most ${MAX_TOOLS_PER_AGENT} tools in a model turn; the agent has ${count}: ${own} of its own, and from its sources ${counts.join(", ")}`,
    {
      hint: "set toolSearch, so that the model finds the tools it needs; or list the tools of a source that the agent needs",
    },
  );
}
