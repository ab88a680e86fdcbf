import { RecencyMap } from "@yagate/lib/cache/recency-map";
import { hasEnded } from "@yagate/protocol";
import type { AgentStore, Append, EventStore, RecordStore } from "@yagate/store/port";
import { type AgentHashOf, createAgentHashes } from "./agent-hashes.ts";
import type { RecordKeys } from "./record-keys.ts";
import { markOf, parseLink, sealedText, toLinkText } from "./record-link.ts";
import { type ChainStart, nextHash, parseRequest, startHash } from "./stored-chain.ts";

/** Maximum number of records whose last hash is in memory. For other records, it is read from the store. */
const MAX_KEPT = 10_000;

export interface SealedEventStoreOptions {
  readonly eventStore: EventStore;
  readonly records: Pick<RecordStore, "position">;
  readonly agents: Pick<AgentStore, "findVersion">;
  readonly keys: Pick<RecordKeys, "seal">;
}

/** The position of a record: the number of its last entry, and the hash of the chain there. */
interface Position {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Wraps an event store, so that every append is chained to the previous one and sealed with the gateway's key in the
 * commit that stores it. A receipt reveals every later change to sealed data, even while the execution is in progress.
 */
export function createSealedEventStore({ eventStore, records, agents, keys }: SealedEventStoreOptions): EventStore {
  const agentHashOf = createAgentHashes(agents);
  // Executions that wait for days must not use memory, so the least recently appended record is evicted first.
  const known = new RecencyMap<Position | ChainStart>(MAX_KEPT);

  /**
   * Returns the hash that the append follows; undefined if the stored record ends elsewhere or is not sealed at its
   * end.
   */
  async function previousHash({ executionId, expectedSeq }: Append): Promise<string | undefined> {
    const place = known.get(executionId);
    if (place !== undefined && "hash" in place && place.seq === expectedSeq) return place.hash;
    if (place !== undefined && !("hash" in place) && expectedSeq === 0) return hashOfStart(place, agentHashOf);
    const stored = await records.position(executionId);
    if (stored === undefined) return undefined;
    const { subject, last } = stored;
    if ((last?.lastSeq ?? 0) !== expectedSeq) return undefined;
    if (last !== null) return last.link === null ? undefined : parseLink(last.link)?.head;
    return hashOfStart({ subject, request: parseRequest(subject.request) }, agentHashOf);
  }

  return {
    ...eventStore,
    async create(execution) {
      const created = await eventStore.create(execution);
      if (created.isNew) {
        const { id: executionId, request, ...rest } = execution;
        known.set(executionId, { subject: { ...rest, executionId }, request });
      }
      return created;
    },
    async append(append) {
      const previous = await previousHash(append);
      if (previous === undefined) return eventStore.append(append);
      const { sealed, position } = sealEntries(previous, append, keys);
      const outcome = await eventStore.append({ ...append, sealed });
      if (outcome === "appended" && !hasEnded(append.summary.status)) known.set(append.executionId, position);
      else known.delete(append.executionId);
      return outcome;
    },
  };
}

async function hashOfStart(start: ChainStart, agentHashOf: AgentHashOf): Promise<string> {
  const found = agentHashOf(start.subject.agentId, start.subject.agentVersion);
  return startHash(start, typeof found === "string" ? found : await found);
}

function sealEntries(previous: string, { executionId, expectedSeq, entries }: Append, keys: Pick<RecordKeys, "seal">) {
  const marks = [markOf(previous)];
  const texts: string[] = [];
  let head = previous;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    head = nextHash(head, text);
    marks.push(markOf(head));
    texts.push(text);
  }
  const seq = expectedSeq + entries.length;
  const link = toLinkText({ head, ...keys.seal(sealedText(executionId, seq, head)), marks });
  return { sealed: { entriesJson: `[${texts.join(",")}]`, link }, position: { seq, hash: head } };
}
