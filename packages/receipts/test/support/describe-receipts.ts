import { verifyReceipt } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseMasterKeys } from "../../../secrets/src/keyring.ts";
import { readAgentHash } from "../../src/agent-hashes.ts";
import { createRecordKeys } from "../../src/record-keys.ts";
import {
  checksumOf,
  markOf,
  nextHash,
  parseLink,
  sealedText,
  startHash,
  startText,
  toLinkText,
} from "../../src/stored-chain.ts";
import { ATTACKS } from "./attacks.ts";
import { MASTER_KEYS, makeAgentAndWorkspace, play, playOn, receiptsOn } from "./receipt-world.ts";
import { IDS, storyAppends, storyExecution } from "./story.ts";

/** A place where a store keeps its data, which an attacker gets at beside the gateway. */
export interface AttackedPlace {
  open(): Promise<Store>;
  /** No other process can write while a store is open. */
  readonly isExclusive: boolean;
  /** Runs statements on the data. */
  attack(statements: readonly string[]): Promise<void>;
  dispose(): Promise<void>;
}

/** What receipts must say of every store's records, changed and not. */
export function describeReceipts(name: string, createPlace: () => Promise<AttackedPlace>): void {
  describe(name, () => {
    let place: AttackedPlace;
    let store: Store;

    beforeEach(async () => {
      place = await createPlace();
      store = await place.open();
      await makeAgentAndWorkspace(store);
    });
    afterEach(async () => {
      await store.close();
      await place.dispose();
    });

    const receiptOf = (id: string, masterKeys?: string) =>
      receiptsOn(store, masterKeys).service.receipt(IDS.workspace, id);

    async function attack(statements: readonly string[]): Promise<void> {
      if (place.isExclusive) await store.close();
      await place.attack(statements);
      if (place.isExclusive) store = await place.open();
    }

    it("verifies an unchanged record, and signs it for holders of the key set", async () => {
      await play(store, "exec_a");
      const receipt = await receiptOf("exec_a");
      expect(receipt).toMatchObject({ verified: true, isFinal: true, difference: null, status: "completed" });
      const keySet = receiptsOn(store).keys.keySet(IDS.workspace);
      const exported = JSON.parse(JSON.stringify(receipt));
      expect(await verifyReceipt(exported, keySet)).toMatchObject({ verified: true });
    });

    it("verifies a record that is part of a trace, in any process", async () => {
      const trace = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, tracestate: "vendor=1" };
      await play(store, "exec_a", { trace });
      await play(store, "exec_b", { trace, appends: 0 });
      await playOn(receiptsOn(store).eventStore, "exec_b", storyAppends("exec_b"));
      for (const id of ["exec_a", "exec_b"])
        expect(await receiptOf(id)).toMatchObject({ verified: true, isFinal: true });
    });

    it.each(ATTACKS)("shows a change of %s", async (_name, { statements, seq, reason }) => {
      await play(store, "exec_a");
      await play(store, "exec_b", { suffix: "_b" });
      await attack(statements);
      const receipt = await receiptOf("exec_a");
      expect(receipt).toMatchObject({ verified: false, isFinal: false, signature: null });
      expect(receipt.difference).toMatchObject({ seq, reason: expect.stringMatching(reason) });
    });

    it("shows a change of a large text, which is stored once", async () => {
      const result = "x".repeat(100_000);
      const appends = storyAppends("exec_a").map((entries) =>
        entries.map((entry) => (entry.event.seq === 11 ? { event: { ...entry.event, result } } : entry)),
      );
      await play(store, "exec_a", { appends: 0 });
      await playOn(receiptsOn(store).eventStore, "exec_a", appends);
      expect(await receiptOf("exec_a")).toMatchObject({ verified: true, isFinal: true });
      await attack(["UPDATE execution_texts SET text = 'y' || substr(text, 2)"]);
      const changed = await receiptOf("exec_a");
      expect(changed).toMatchObject({ verified: false, isFinal: false, signature: null, difference: { seq: 11 } });
    });

    it.each<[string, string]>([
      ["with no key but one of their own", MASTER_KEYS.other],
      ["with the seal that was there", ""],
    ])("shows that the chain was recomputed %s", async (_name, masterKeys) => {
      await play(store, "exec_a");
      await attack(await chainAgain(store, masterKeys));
      const receipt = await receiptOf("exec_a");
      expect(receipt).toMatchObject({ verified: false, signature: null });
      expect(receipt.difference).toMatchObject({ seq: 10, reason: expect.stringMatching(/chain was recomputed/) });
    });

    it("shows a change that was made before the execution went on elsewhere", async () => {
      await play(store, "exec_a", { appends: 2 });
      await attack(["UPDATE appends SET entries = replace(entries, '3 days', '0 days') WHERE last_seq = 12"]);
      // Another process: it knows nothing of the record but what is stored.
      await playOn(receiptsOn(store).eventStore, "exec_a", storyAppends("exec_a").slice(2));
      const receipt = await receiptOf("exec_a");
      expect(receipt).toMatchObject({ verified: false, status: "completed" });
      expect(receipt.difference).toMatchObject({ seq: 11 });
    });

    it("goes on with the chain of another process", async () => {
      await play(store, "exec_a", { appends: 2 });
      for (const entries of storyAppends("exec_a").slice(2)) {
        await playOn(receiptsOn(store).eventStore, "exec_a", [entries]);
      }
      expect(await receiptOf("exec_a")).toMatchObject({ verified: true, isFinal: true });
    });

    it("describes an unfinished execution without a signature, and finds changes in it too", async () => {
      await play(store, "exec_a", { appends: 3 });
      const receipt = await receiptOf("exec_a");
      expect(receipt).toMatchObject({ verified: true, isFinal: false, signature: null, finishedAt: null, cost: null });
      expect(receipt.record.entries).toHaveLength(13);
      await attack(["UPDATE appends SET entries = replace(entries, '3 days', '0 days') WHERE last_seq = 12"]);
      expect(await receiptOf("exec_a")).toMatchObject({ verified: false, difference: { seq: 11 } });
    });

    it("does not verify a record from before sealing", async () => {
      await store.eventStore.create(storyExecution("exec_a"));
      await playOn(store.eventStore, "exec_a", storyAppends("exec_a"));
      const receipt = await receiptOf("exec_a");
      expect(receipt).toMatchObject({ verified: false, isFinal: false, signature: null, difference: { seq: 1 } });
    });

    it("verifies after the master keys were rotated, as long as the old one is there", async () => {
      const { old, next } = MASTER_KEYS;
      await play(store, "exec_a", { appends: 3 });
      await playOn(receiptsOn(store, `${next},${old}`).eventStore, "exec_a", storyAppends("exec_a").slice(3));
      expect(await receiptOf("exec_a", `${next},${old}`)).toMatchObject({ verified: true, isFinal: true });
      expect(await receiptOf("exec_a", next)).toMatchObject({
        verified: false,
        difference: { seq: 1, reason: expect.stringContaining("master key old, which is not configured") },
      });
    });

    it("knows nothing of another workspace's execution", async () => {
      await play(store, "exec_a");
      await expect(receiptsOn(store).service.receipt("ws_other", "exec_a")).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await expect(receiptsOn(store).service.keySet("ws_other")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });
}

/** The chain of form 1, in which each entry is hashed. */
function chainEach(previous: string, texts: readonly string[]) {
  let head = previous.startsWith("[") ? startHash(previous) : previous;
  const marks = [markOf(head)];
  for (const text of texts) {
    head = nextHash(head, text);
    marks.push(markOf(head));
  }
  return { head, marks };
}

/** The chain of form 2, in which each append is hashed. */
function chainOnce(previous: string, entriesJson: string, texts: readonly string[]) {
  return { head: nextHash(previous, entriesJson), marks: [previous, ...texts].map(checksumOf) };
}

/** Statements that change a result and make the whole chain after it again, sealed with a key that is not the gateway's. */
async function chainAgain(store: Store, masterKeys: string): Promise<readonly string[]> {
  const position = await store.records.position("exec_a");
  if (position === undefined) throw new Error("expected the execution");
  const { request, ...subject } = position.subject;
  const agentHash = await readAgentHash(store.agents, subject.agentId, subject.agentVersion);
  let previous = startText({ subject, request: JSON.parse(request) }, agentHash);
  const statements: string[] = [];
  for (const { lastSeq, entries: stored, link } of await store.records.appends("exec_a")) {
    const text = stored.replaceAll("3 days", "0 days");
    const known = link === null ? undefined : parseLink(link);
    if (known === undefined) throw new Error("expected a link");
    const { form } = known;
    const texts: readonly string[] = JSON.parse(text).map((entry: unknown) => JSON.stringify(entry));
    const { head, marks } = form === 1 ? chainEach(previous, texts) : chainOnce(previous, text, texts);
    previous = head;
    const seal =
      masterKeys === ""
        ? known
        : createRecordKeys(parseMasterKeys(masterKeys)).seal(sealedText(form, "exec_a", lastSeq, head));
    const made = toLinkText({ form, head, kid: seal.kid, mac: seal.mac, marks });
    // The first append holds nothing that was changed: its seal still fits.
    if (lastSeq === 9) continue;
    statements.push(
      `UPDATE appends SET entries = '${text.replaceAll("'", "''")}', link = '${made}' WHERE execution_id = 'exec_a' AND last_seq = ${lastSeq}`,
    );
  }
  return statements;
}
