import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson, type ReceiptProblem, verifyReceipt } from "../../src/index.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const stranger = generateKeyPairSync("ed25519");
const jwkOf = (key: typeof publicKey, kid: string) => ({
  ...key.export({ format: "jwk" }),
  kid,
  alg: "EdDSA",
  use: "sig",
});
const keySet = { keys: [jwkOf(stranger.publicKey, "older"), jwkOf(publicKey, "k1")] };

const HASH = `sha256:${"0".repeat(64)}`;
const AT = "2026-11-21T06:00:00.000Z";
const subject = {
  executionId: "exec_1",
  workspaceId: "ws_1",
  agentId: "agt_1",
  agentVersion: 1,
  agentHash: HASH,
  keyId: null,
  createdAt: AT,
  requestHash: HASH,
};

/** The chain, made by the words of the documentation and not by the code under test. */
function recordOf(events: readonly Record<string, unknown>[]) {
  let head = sha256(canonicalJson({ format: "yagate-record-1", ...subject }));
  const entries = events.map((event, index) => {
    const entry = index === 1 ? { event, assistantMessageHash: HASH } : { event };
    head = sha256(head + canonicalJson(entry));
    return { hash: head, ...entry };
  });
  return { subject, entries, head };
}

const EVENTS = [
  { type: "execution.started", seq: 1, at: AT, executionId: "exec_1", input: "hi" },
  { type: "model.responded", seq: 2, at: AT, executionId: "exec_1", text: "hello" },
  { type: "execution.completed", seq: 3, at: AT, executionId: "exec_1" },
];

const unsigned = {
  format: "yagate-receipt-1",
  executionId: "exec_1",
  workspaceId: "ws_1",
  verified: true,
  isFinal: true,
  difference: null,
  agent: { id: "agt_1", version: 1, models: [] },
  keyId: null,
  status: "completed",
  stopReason: "final",
  createdAt: AT,
  finishedAt: AT,
  usage: null,
  cost: null,
  toolCalls: [],
  account: [{ seq: 1, at: AT, text: "It began." }],
  record: recordOf(EVENTS),
};
type Unsigned = typeof unsigned;

interface Signing {
  readonly header?: Record<string, unknown>;
  readonly statement?: Record<string, unknown>;
  readonly key?: typeof privateKey;
}

function signed(receipt: Unsigned, { header = {}, statement = {}, key = privateKey }: Signing = {}) {
  const said = {
    format: receipt.format,
    executionId: receipt.executionId,
    workspaceId: receipt.workspaceId,
    entries: receipt.record.entries.length,
    head: receipt.record.head,
    receiptHash: `sha256:${sha256(canonicalJson(receipt))}`,
    ...statement,
  };
  const head = { alg: "EdDSA", kid: "k1", typ: "yagate-receipt+jws", ...header };
  const text = `${base64url(JSON.stringify(head))}.${base64url(JSON.stringify(said))}`;
  return { ...receipt, signature: `${text}.${sign(null, Buffer.from(text), key).toString("base64url")}` };
}

const good = signed(unsigned);
const changedRecord = (change: (record: Unsigned["record"]) => unknown) => ({
  ...good,
  record: change(unsigned.record),
});
const withEntry = (index: number, change: object) =>
  changedRecord((record) => ({
    ...record,
    entries: record.entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)),
  }));

it("verifies a receipt, also after it was written out and read again", async () => {
  expect(await verifyReceipt(good, keySet)).toMatchObject({ verified: true, kid: "k1" });
  expect(await verifyReceipt(JSON.parse(JSON.stringify(good, null, 2)), keySet)).toMatchObject({ verified: true });
});

it.each<[string, unknown, Partial<ReceiptProblem>]>([
  ["an event", withEntry(1, { event: { ...EVENTS[1], text: "hell" } }), { code: "ENTRY_CHANGED", seq: 2 }],
  [
    "the hash of the model's message",
    withEntry(1, { assistantMessageHash: `sha256:${"1".repeat(64)}` }),
    { code: "ENTRY_CHANGED", seq: 2 },
  ],
  ["a hash", withEntry(2, { hash: "1".repeat(64) }), { code: "ENTRY_CHANGED", seq: 3 }],
  [
    "who asked",
    changedRecord((record) => ({ ...record, subject: { ...subject, keyId: "key_1" } })),
    { code: "ENTRY_CHANGED", seq: 1 },
  ],
  [
    "the place of two entries",
    changedRecord((record) => ({ ...record, entries: [record.entries[1], record.entries[0], record.entries[2]] })),
    { code: "ENTRY_CHANGED", seq: 1 },
  ],
  [
    "the record, by taking its last entry",
    changedRecord((record) => ({ ...record, entries: record.entries.slice(0, 2) })),
    { code: "HEAD_CHANGED" },
  ],
  [
    "the record, by another chain that comes out",
    { ...good, record: recordOf([{ ...EVENTS[0], input: "ho" }, ...EVENTS.slice(1)]) },
    { code: "HEAD_CHANGED" },
  ],
  ["a sentence", { ...good, account: [{ seq: 1, at: AT, text: "It never began." }] }, { code: "RECEIPT_CHANGED" }],
  ["a member that is not known", { ...good, note: "trust me" }, { code: "RECEIPT_CHANGED" }],
  ["the execution", signed({ ...unsigned, executionId: "exec_2" }), { code: "RECEIPT_CHANGED" }],
  ["the signature, by taking it", { ...unsigned, signature: null }, { code: "UNSIGNED" }],
  [
    "the signature, by another's",
    { ...good, signature: signed({ ...unsigned, status: "failed" }).signature },
    { code: "RECEIPT_CHANGED" },
  ],
  ["the key", signed(unsigned, { key: stranger.privateKey }), { code: "BAD_SIGNATURE" }],
  ["the key's id", signed(unsigned, { header: { kid: "k2" } }), { code: "UNKNOWN_KEY" }],
  ["the algorithm to none", signed(unsigned, { header: { alg: "none" } }), { code: "BAD_SIGNATURE" }],
  ["the type of what is signed", signed(unsigned, { header: { typ: "JWT" } }), { code: "BAD_SIGNATURE" }],
  ["the header, by an extension", signed(unsigned, { header: { crit: ["x"], x: 1 } }), { code: "BAD_SIGNATURE" }],
  [
    "what is said, by another head",
    signed(unsigned, { statement: { head: "1".repeat(64) } }),
    { code: "HEAD_CHANGED" },
  ],
  ["what is said, by nothing", signed(unsigned, { statement: { receiptHash: 1 } }), { code: "BAD_SIGNATURE" }],
  ["the signature into a text", { ...good, signature: "x" }, { code: "BAD_SIGNATURE" }],
])("finds that somebody changed %s", async (_what, receipt, problem) => {
  expect(await verifyReceipt(receipt, keySet)).toMatchObject({ verified: false, problem });
});

it("says of a receipt that the gateway itself found changed that it is not to be relied on", async () => {
  const changed = {
    ...unsigned,
    verified: false,
    difference: { seq: 2, reason: "entry 2 was changed" },
    signature: null,
  };
  const verdict = await verifyReceipt(changed, keySet);
  expect(verdict).toMatchObject({
    verified: false,
    problem: { code: "UNSIGNED", message: expect.stringContaining("entry 2") },
  });
});

describe("what is no receipt", () => {
  it.each<[string, unknown, unknown]>([
    ["null", null, keySet],
    ["another object", { id: "exec_1" }, keySet],
    ["a receipt of another form", { ...good, format: "yagate-receipt-2" }, keySet],
    ["a key set without keys", good, {}],
  ])("refuses %s", async (_what, receipt, keys) => {
    await expect(verifyReceipt(receipt, keys)).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
  });
});
