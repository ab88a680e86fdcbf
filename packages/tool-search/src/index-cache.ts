import { LRUCache } from "lru-cache";
import type { SearchableTool } from "./searchable-tool.ts";
import type { createToolIndex, ToolIndex } from "./tool-index.ts";

/** Maximum number of tools in all cached indexes. An indexed tool takes about 2 KB. */
const MAX_TOOLS = 20_000;

/** The indexes of the tool sets that were searched most recently. */
export interface IndexCache {
  /**
   * Returns the index of a tool set, which is built at the first search. Concurrent searches share one build.
   *
   * @param key - identifies the contents of the tool set.
   */
  indexOf(key: string, tools: () => readonly SearchableTool[]): Promise<ToolIndex>;
}

/** The stemmers that an index needs are loaded at the first search, because most gateways never search. */
const createIndex: typeof createToolIndex = async (tools) => (await import("./tool-index.ts")).createToolIndex(tools);

/** Creates a cache of indexes. */
export function createIndexCache(create = createIndex): IndexCache {
  const cache = new LRUCache<string, ToolIndex, () => readonly SearchableTool[]>({
    maxSize: MAX_TOOLS,
    sizeCalculation: ({ size }) => Math.max(1, size),
    fetchMethod: (_key, _stale, { context }) => create(context()),
    // An index may be evicted while a search is still waiting for it.
    ignoreFetchAbort: true,
  });
  return { indexOf: (key, tools) => cache.forceFetch(key, { context: tools }) };
}
