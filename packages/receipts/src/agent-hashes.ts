import { recordText } from "@yagate/protocol";
import type { AgentStore } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import { textHash } from "./receipt-chain.ts";

/** Maximum number of cached hashes. Versions never change, and most executions use a few of them. */
const MAX_KEPT = 1_000;

/** Returns the hash of the stored definition of an agent's version. */
export type AgentHashOf = (agentId: string, version: number) => string | Promise<string>;

/** Reads the version from the store instead of the cache, to detect changes. */
export async function readAgentHash(
  agents: Pick<AgentStore, "findVersion">,
  agentId: string,
  version: number,
): Promise<string> {
  const row = await agents.findVersion(agentId, version);
  return textHash(recordText(row?.agent ?? null));
}

/** Creates a function that caches the hash of each version. */
export function createAgentHashes(agents: Pick<AgentStore, "findVersion">): AgentHashOf {
  const kept = new LRUCache<string, string>({ max: MAX_KEPT });
  return (agentId, version) => {
    const key = `${agentId}:${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    return readAgentHash(agents, agentId, version).then((found) => {
      kept.set(key, found);
      return found;
    });
  };
}
