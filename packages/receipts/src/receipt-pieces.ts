import { createHash } from "node:crypto";
import type { Yielder } from "@yagate/lib/async/event-loop";
import { isObject } from "@yagate/lib/json/json-object";
import { recordText } from "@yagate/protocol";
import type { UnsignedReceipt } from "./create-receipt.ts";

/** Depth to which members and items are serialised one at a time: receipt, record, entries, entry, event. */
const EVENT_DEPTH = 4;

interface Writing {
  readonly texts: UnsignedReceipt["eventTexts"];
  readonly isSorted: boolean;
}

/** Returns the hash of a receipt's record text, without its signature. */
export async function receiptHash({ receipt, eventTexts }: UnsignedReceipt, yieldNow: Yielder): Promise<string> {
  const { signature: _none, ...unsigned } = receipt;
  const hash = createHash("sha256");
  for (const piece of piecesOf(unsigned, { texts: eventTexts, isSorted: true }, EVENT_DEPTH)) {
    hash.update(piece);
    await yieldNow();
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Serialises a receipt as JSON. */
export async function receiptJson({ receipt, eventTexts }: UnsignedReceipt, yieldNow: Yielder): Promise<string> {
  const pieces: string[] = [];
  for (const piece of piecesOf(receipt, { texts: eventTexts, isSorted: false }, EVENT_DEPTH)) {
    pieces.push(piece);
    await yieldNow();
  }
  return pieces.join("");
}

function* piecesOf(value: unknown, writing: Writing, depth: number): Generator<string> {
  if (depth === 0 || !isObject(value)) {
    yield writing.texts.get(value) ?? recordText(value);
    return;
  }
  const isArray = Array.isArray(value);
  const members: [name: string, value: unknown][] = Object.entries(value);
  if (!isArray && writing.isSorted) members.sort(([a], [b]) => (a < b ? -1 : 1));
  let separator = "";
  yield isArray ? "[" : "{";
  for (const [name, member] of members) {
    if (member === undefined) continue;
    yield isArray ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* piecesOf(member, writing, depth - 1);
    separator = ",";
  }
  yield isArray ? "]" : "}";
}
