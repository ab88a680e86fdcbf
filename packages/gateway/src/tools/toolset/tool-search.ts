import { createHash } from "node:crypto";
import { type Agent, jsonObjectSchema, schemaHash, type ToolDeferral } from "@yagate/protocol";
import { deferTools } from "@yagate/tool-search/defer-tools";
import type { IndexCache } from "@yagate/tool-search/index-cache";
import { isSearchable, searchDefinition, TOOL_SEARCH } from "@yagate/tool-search/search-definition";
import { foundIn, searchResult } from "@yagate/tool-search/search-result";
import type { SearchableTool } from "@yagate/tool-search/searchable-tool";
import type { ToolIndex, ToolQuery } from "@yagate/tool-search/tool-index";
import * as z from "zod";
import type { CallContext, Tool, ToolExecutor } from "../port.ts";

/** The decision which tools of a toolset are deferred, and the tool that finds them. */
export interface ToolSearch {
  readonly deferral: ToolDeferral;
  readonly tool: Tool;
}

/** Maximum duration of a search. Only building the index takes time. */
const TIMEOUT_MS = 30_000;

/**
 * Decides which tools of an agent are deferred; undefined if every model turn carries all of them. A tool that the
 * policy denies is neither carried nor found.
 */
export async function createToolSearch(
  ready: readonly Tool[],
  settings: Agent["toolSearch"],
  indexes: IndexCache,
): Promise<ToolSearch | undefined> {
  if (settings === undefined || !isSearchable(ready.map(({ name }) => name))) return undefined;
  const allowed = ready.filter(({ policyDecision }) => policyDecision.decision !== "denied");
  const deferral = deferTools(allowed, settings);
  if (deferral === undefined) return undefined;
  const { shown, deferred, deferredTokens } = deferral;
  const names = new Set(deferred);
  const definition = searchDefinition(deferred, settings.limit);
  const parameters = jsonObjectSchema.parse(definition.parameters);
  const tool: Tool = {
    name: TOOL_SEARCH,
    description: definition.description,
    parameters,
    schemaHash: await schemaHash(parameters),
    kind: "data",
    sideEffect: "read_only",
    risk: "read_only",
    policyDecision: { decision: "allowed", reason: "a search only finds tools of the agent" },
    options: {},
    timeoutMs: TIMEOUT_MS,
    executor: searchExecutor(
      allowed.filter(({ name }) => names.has(name)),
      settings.limit,
      indexes,
    ),
  };
  return { deferral: { shown: [...shown], deferred: deferred.length, deferredTokens }, tool };
}

const argumentsSchema = z.object({
  query: z.string(),
  namespace: z.string().optional(),
  limit: z.int().optional(),
});

const FREE = { usd: 0, credits: 0 };

function searchExecutor(tools: readonly Tool[], defaultLimit: number, indexes: IndexCache): ToolExecutor {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let key: string | undefined;
  return {
    render: async ({ toolCallId, parameters }) => ({
      request: null,
      hash: hashOf([TOOL_SEARCH, toolCallId, parameters]),
    }),
    async execute({ parameters }, { toolLoading }) {
      const { query, namespace, limit = defaultLimit } = argumentsSchema.parse(parameters);
      key ??= hashOf(
        tools.map(({ name, description, schemaHash, options: { language } }) => [
          ...[name, description, schemaHash, language],
        ]),
      );
      const index = await indexes.indexOf(key, () => tools.map(toSearchable));
      const filter = namespace === undefined || namespace.trim() === "" ? {} : { namespace };
      const found = await findRunnable(index, { query, limit, ...filter }, byName);
      const { fitting, left } = withinRoom(withDependencies(found, byName), toolLoading);
      const result = searchResult({ tools: fitting, left, ...filter, names: [...byName.keys()] });
      return { answer: { result, foundTools: foundIn(result) }, cost: FREE };
    },
  };
}

/** How often a search is repeated because it has found tools that may no longer run. */
const MAX_ROUNDS = 3;

/** Searches for tools that may still run. */
async function findRunnable(
  index: ToolIndex,
  query: ToolQuery,
  byName: ReadonlyMap<string, Tool>,
): Promise<readonly Tool[]> {
  const withdrawn = new Set<string>();
  for (let round = 1; ; round += 1) {
    const found = index.search({ ...query, without: withdrawn }).flatMap((name) => byName.get(name) ?? []);
    const before = withdrawn.size;
    await Promise.all(found.map(async (tool) => ((await isWithdrawn(tool)) ? withdrawn.add(tool.name) : undefined)));
    if (withdrawn.size === before || round === MAX_ROUNDS) return found.filter(({ name }) => !withdrawn.has(name));
  }
}

/** While the store is unavailable, the tool counts as one that may run: the call itself is checked again. */
async function isWithdrawn({ withdrawal }: Tool): Promise<boolean> {
  return (await withdrawal?.().catch(() => undefined)) !== undefined;
}

/** Adds the deferred tools whose calls must precede those of the found tools. */
function withDependencies(found: readonly Tool[], byName: ReadonlyMap<string, Tool>): readonly Tool[] {
  const all = new Set(found);
  // A set that grows while it is read is read to its end.
  for (const { options } of all) {
    for (const name of options.dependsOn ?? []) {
      const needed = byName.get(name);
      if (needed !== undefined) all.add(needed);
    }
  }
  return [...all];
}

/** Divides what a search has found into the tools that can be loaded, or already are, and the number of the others. */
function withinRoom(
  found: readonly Tool[],
  { loaded, room }: NonNullable<CallContext["toolLoading"]> = { loaded: new Set(), room: found.length },
): { readonly fitting: readonly Tool[]; readonly left: number } {
  let free = room;
  const fitting = found.filter(({ name }) => loaded.has(name) || free-- > 0);
  return { fitting, left: found.length - fitting.length };
}

function toSearchable({ name, description, parameters, handler, options: { language } }: Tool): SearchableTool {
  if (handler === undefined) return { name, description, parameters, language };
  return { name, description: handler.description, parameters, usageNotes: handler.usageNotes, language };
}

function hashOf(value: unknown): string {
  return `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;
}
