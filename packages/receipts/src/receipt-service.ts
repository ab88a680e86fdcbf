import { createYielder, type Yielder } from "@yagate/lib/async/event-loop";
import { type KeySet, RECEIPT_FORMAT, type Receipt, recordText, YagateError } from "@yagate/protocol";
import type { AgentStore, EventStore, RecordStore, WorkspaceStore } from "@yagate/store/port";
import { readAgentHash } from "./agent-hashes.ts";
import { checkRecord } from "./check-record.ts";
import { createReceipt, type UnsignedReceipt } from "./create-receipt.ts";
import { toRecordSubject } from "./receipt-chain.ts";
import { receiptHash, receiptJson } from "./receipt-pieces.ts";
import type { RecordKeys } from "./record-keys.ts";
import { parseRequest, startText } from "./stored-chain.ts";

/** Creates receipts of executions, and publishes the keys that verify them. */
export interface ReceiptService {
  /**
   * Compares the stored record with its seals and describes it. Signs the receipt if the execution has ended and the
   * record is unchanged.
   *
   * @throws YagateError `NOT_FOUND` if the workspace has no such execution.
   */
  receipt(workspaceId: string, executionId: string): Promise<Receipt>;
  /**
   * Creates a receipt like `receipt`, and returns its JSON too. The JSON is serialised in parts, because serialising a
   * long receipt in one piece would block the event loop.
   */
  receiptAndJson(
    workspaceId: string,
    executionId: string,
  ): Promise<{ readonly receipt: Receipt; readonly json: string }>;
  /**
   * Returns the public keys that verify the receipts of a workspace.
   *
   * @throws YagateError `NOT_FOUND` if there is no such workspace.
   */
  keySet(workspaceId: string): Promise<KeySet>;
}

export interface ReceiptServiceOptions {
  readonly eventStore: Pick<EventStore, "find">;
  readonly records: RecordStore;
  readonly agents: Pick<AgentStore, "findVersion">;
  readonly workspaces: Pick<WorkspaceStore, "find">;
  readonly keys: RecordKeys;
}

export function createReceiptService(options: ReceiptServiceOptions): ReceiptService {
  const { eventStore, records, agents, workspaces, keys } = options;

  /** Reads and checks a record; returns undefined if the record grew between the two reads. */
  async function read(
    workspaceId: string,
    executionId: string,
    yieldNow: Yielder,
  ): Promise<UnsignedReceipt | undefined> {
    const before = await records.position(executionId);
    const appends = await records.appends(executionId);
    const row = await eventStore.find(executionId, workspaceId);
    if (row === undefined || before === undefined) {
      throw new YagateError("NOT_FOUND", "no execution with this id in this workspace");
    }
    const stored = appends.at(-1)?.lastSeq ?? 0;
    if ((before.last?.lastSeq ?? 0) !== stored || (row.lastSeq !== stored && (await hasGrown(executionId, stored)))) {
      return undefined;
    }
    const { request, ...subject } = before.subject;
    const start = { subject, request: parseRequest(request) };
    const agentHash = await readAgentHash(agents, subject.agentId, subject.agentVersion);
    const record = await checkRecord(executionId, startText(start, agentHash), appends, row, keys, yieldNow);
    return createReceipt(toRecordSubject(start, agentHash), row, record, yieldNow);
  }

  async function hasGrown(executionId: string, lastSeq: number): Promise<boolean> {
    return ((await records.position(executionId))?.last?.lastSeq ?? 0) !== lastSeq;
  }

  async function sign(unsigned: UnsignedReceipt, yieldNow: Yielder): Promise<string> {
    const { executionId, workspaceId, record } = unsigned.receipt;
    const { head, entries } = record;
    const statement = { format: RECEIPT_FORMAT, executionId, workspaceId, entries: entries.length, head };
    const hash = await receiptHash(unsigned, yieldNow);
    return keys.sign(workspaceId, recordText({ ...statement, receiptHash: hash }));
  }

  /**
   * Creates the receipt. Comparing a record can take seconds, so the function yields to the event loop between entries.
   */
  async function make(workspaceId: string, executionId: string, yieldNow: Yielder): Promise<UnsignedReceipt> {
    for (;;) {
      const made = await read(workspaceId, executionId, yieldNow);
      if (made === undefined) continue;
      const { receipt, eventTexts } = made;
      return receipt.isFinal ? { receipt: { ...receipt, signature: await sign(made, yieldNow) }, eventTexts } : made;
    }
  }

  return {
    receipt: async (workspaceId, executionId) => (await make(workspaceId, executionId, createYielder(5))).receipt,
    async receiptAndJson(workspaceId, executionId) {
      const yieldNow = createYielder(5);
      const made = await make(workspaceId, executionId, yieldNow);
      return { receipt: made.receipt, json: await receiptJson(made, yieldNow) };
    },
    async keySet(workspaceId) {
      if ((await workspaces.find(workspaceId)) === undefined) {
        throw new YagateError("NOT_FOUND", "no workspace with this id");
      }
      return keys.keySet(workspaceId);
    },
  };
}
