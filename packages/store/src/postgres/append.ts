import { randomBytes } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { Append, AppendOutcome, EventStore, StoreCommit } from "../events/event-store.ts";
import { prepareAppend, withTextsApart } from "../events/prepared-append.ts";
import { appendStatement, type TokenedAppend } from "./append-statement.ts";
import { CommitBatcher, type ItemOutcome } from "./commit-batcher.ts";
import { type Database, named } from "./database.ts";
import type { StoredForms } from "./stored-forms.ts";

/** Maximum number of concurrent groups: one can be sent while another waits for the disk. */
const MAX_IN_FLIGHT = 2;
const TOKEN_BYTES = 6;

interface AppendRecord {
  readonly id: string;
  readonly epoch: number;
  readonly is_advanced: boolean;
  /** Whether this append made the suspended execution due. */
  readonly is_due: boolean;
  /** Whether the execution is suspended, so it has no owner. */
  readonly is_suspended: boolean;
}

/** The outcome of an append, and whether it made its execution due. */
interface Appended {
  readonly outcome: AppendOutcome;
  readonly isDue: boolean;
}

const FIND_OWN = named(`
  SELECT a.execution_id FROM appends a
  JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS i (id, last_seq, token)
    ON a.execution_id = i.id AND a.last_seq = i.last_seq AND a.token = i.token`);

function outcomeOf({ append: { epoch } }: TokenedAppend, record: AppendRecord | undefined): ItemOutcome<Appended> {
  if (record === undefined) return { error: new YagateError("NOT_FOUND", "no such execution") };
  if (record.is_advanced) return { result: { outcome: "appended", isDue: record.is_due } };
  const isOwn = epoch === undefined || (epoch === record.epoch && !record.is_suspended);
  return { result: { outcome: isOwn ? "behind" : "taken_over", isDue: false } };
}

/** Creates the batcher of appends. The owner must close it. */
export function createAppendBatcher(
  database: Database,
  onCommit?: (commit: StoreCommit) => void,
): CommitBatcher<TokenedAppend, Appended> {
  /** Returns the items that an earlier attempt wrote. */
  async function findOwn(items: readonly TokenedAppend[]): Promise<ReadonlySet<string>> {
    const rows = await database.run<{ execution_id: string }>("writes", FIND_OWN, [
      items.map(({ append }) => append.executionId),
      items.map(({ lastSeq }) => lastSeq),
      items.map(({ token }) => token),
    ]);
    return new Set(rows.map(({ execution_id }) => execution_id));
  }

  return new CommitBatcher({
    keyOf: ({ append }) => append.executionId,
    bytesOf: ({ entriesJson, summaryJson, exchangesJson, texts }) => {
      const columns = entriesJson.length + summaryJson.length + (exchangesJson?.length ?? 0);
      return texts.reduce((sum, { text }) => sum + text.length, columns);
    },
    async perform(items, isRepeat) {
      const rows = await database.run<AppendRecord>("writes", ...appendStatement(items));
      const records = new Map(rows.map((row) => [row.id, row]));
      const own = isRepeat ? await findOwn(items) : new Set<string>();
      return items.map((item) => {
        // The attempt whose response was lost may have made the execution due.
        if (own.has(item.append.executionId)) {
          return { result: { outcome: "appended", isDue: item.append.epoch === undefined } };
        }
        return outcomeOf(item, records.get(item.append.executionId));
      });
    },
    maxInFlight: MAX_IN_FLIGHT,
    ...defined({ onCommit }),
  });
}

/** Creates `EventStore.append`, which writes through a batcher. */
export function createAppender(options: {
  readonly batcher: CommitBatcher<TokenedAppend, Appended>;
  readonly now: () => EpochMs;
  readonly forms: Pick<StoredForms, "current">;
  /** Called after each durable append of this process. `isDue`: the append made a suspended execution due. */
  readonly onAppended: (append: Append, isDue: boolean) => void;
}): EventStore["append"] {
  async function write(append: Append): Promise<AppendOutcome> {
    const token = randomBytes(TOKEN_BYTES).readUIntBE(0, TOKEN_BYTES);
    const { storedForm, storesApart } = options.forms.current();
    const prepared = prepareAppend(append, options.now(), storedForm);
    const { outcome, isDue } = await options.batcher.write({
      ...(storesApart ? withTextsApart(prepared) : prepared),
      token,
    });
    if (outcome === "appended") options.onAppended(append, isDue);
    return outcome;
  }

  return (append, done) => {
    write(append).then(done, (error: unknown) => done({ error }));
  };
}
