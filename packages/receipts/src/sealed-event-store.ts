import { RecencyMap } from "@yagate/lib/cache/recency-map";
import { defined } from "@yagate/lib/objects/defined";
import { hasEnded } from "@yagate/protocol";
import type { AgentStore, Append, AppendDone, EventStore, RecordStore, StoredForm } from "@yagate/store/port";
import { type AgentHashOf, createAgentHashes } from "./agent-hashes.ts";
import type { RecordKeys } from "./record-keys.ts";
import {
  type ChainStart,
  checksumOf,
  markOf,
  nextHash,
  parseLink,
  parseRequest,
  sealedText,
  startHash,
  startText,
  toLinkText,
} from "./stored-chain.ts";

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
   * Returns what the append follows: the text at the start of the chain, or else its last hash. Returns undefined if the
   * stored record ends elsewhere or is not sealed at its end. Only values that are not in memory need a promise.
   */
  function previousOf(append: Append): string | Promise<string | undefined> {
    const place = known.get(append.executionId);
    if (place !== undefined && "hash" in place && place.seq === append.expectedSeq) return place.hash;
    if (place !== undefined && !("hash" in place) && append.expectedSeq === 0) return textOfStart(place, agentHashOf);
    return readPrevious(append);
  }

  async function readPrevious({ executionId, expectedSeq }: Append): Promise<string | undefined> {
    const stored = await records.position(executionId);
    if (stored === undefined) return undefined;
    const { subject, last } = stored;
    if ((last?.lastSeq ?? 0) !== expectedSeq) return undefined;
    if (last !== null) return last.link === null ? undefined : parseLink(last.link)?.head;
    return textOfStart({ subject, request: parseRequest(subject.request) }, agentHashOf);
  }

  function seal(previous: string, append: Append): SealedEntries {
    return (eventStore.storedForm() === 1 ? sealEachEntry : sealEntries)(previous, append, keys);
  }

  function appendAfter(previous: string | undefined, append: Append, done: AppendDone): void {
    if (previous === undefined) return eventStore.append(append, done);
    let entries: SealedEntries;
    try {
      entries = seal(previous, append);
    } catch (error) {
      return done({ error });
    }
    const { sealed, position } = entries;
    eventStore.append({ ...append, sealed }, (end) => {
      if (end === "appended" && !hasEnded(append.summary.status)) known.set(append.executionId, position);
      else if (typeof end === "string") known.delete(append.executionId);
      done(end);
    });
  }

  return {
    ...eventStore,
    async create(execution) {
      const created = await eventStore.create(execution);
      if (created.isNew) {
        const { id: executionId, request, mode, replay, ...rest } = execution;
        known.set(executionId, {
          subject: { ...rest, executionId },
          request: { ...request, ...defined({ mode, replay }) },
        });
      }
      return created;
    },
    append(append, done) {
      const previous = previousOf(append);
      if (typeof previous === "string") appendAfter(previous, append, done);
      else
        previous.then(
          (read) => appendAfter(read, append, done),
          (error: unknown) => done({ error }),
        );
    },
  };
}

function textOfStart(start: ChainStart, agentHashOf: AgentHashOf): string | Promise<string> {
  const found = agentHashOf(start.subject.agentId, start.subject.agentVersion);
  return typeof found === "string" ? startText(start, found) : found.then((hash) => startText(start, hash));
}

type Keys = Pick<RecordKeys, "seal">;

interface SealedEntries {
  readonly sealed: NonNullable<Append["sealed"]>;
  readonly position: Position;
}

/** Seals an append in form 2: its text is hashed once. */
function sealEntries(previous: string, append: Append, keys: Keys): SealedEntries {
  const texts = append.entries.map((entry) => JSON.stringify(entry));
  const entriesJson = `[${texts.join(",")}]`;
  const marks = [checksumOf(previous), ...texts.map(checksumOf)];
  return toSealed(2, append, { entriesJson, head: nextHash(previous, entriesJson), marks }, keys);
}

/** Seals an append in form 1, as versions before form 2 read it: each entry is hashed. */
function sealEachEntry(previous: string, append: Append, keys: Keys): SealedEntries {
  let head = append.expectedSeq === 0 ? startHash(previous) : previous;
  const marks = [markOf(head)];
  const texts: string[] = [];
  for (const entry of append.entries) {
    const text = JSON.stringify(entry);
    head = nextHash(head, text);
    marks.push(markOf(head));
    texts.push(text);
  }
  return toSealed(1, append, { entriesJson: `[${texts.join(",")}]`, head, marks }, keys);
}

function toSealed(
  form: StoredForm,
  { executionId, expectedSeq, entries }: Append,
  chained: { readonly entriesJson: string; readonly head: string; readonly marks: readonly string[] },
  keys: Keys,
): SealedEntries {
  const { entriesJson, head, marks } = chained;
  const seq = expectedSeq + entries.length;
  const link = toLinkText({ form, head, marks, ...keys.seal(sealedText(form, executionId, seq, head)) });
  return { sealed: { entriesJson, link }, position: { seq, hash: head } };
}
