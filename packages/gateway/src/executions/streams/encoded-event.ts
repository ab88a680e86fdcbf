import type { StreamEvent } from "@yagate/protocol";

/** Shorter texts stay strings: a buffer of their own would cost more than writing them does. */
const MIN_BUFFER_CHARACTERS = 4_096;

const NO_TURN = { turn: 0, attempt: 0 } as const;

/** An event as streams send it, and what decides where it stands among the others. */
export interface EncodedEvent {
  readonly type: StreamEvent["type"];
  /** 0 for a text delta, which has none. */
  readonly seq: number;
  /** Of a `model.requested`; 0 for all others. */
  readonly turn: number;
  readonly attempt: number;
  /** As a server-sent event. Shared by all readers, so it is never changed. */
  readonly text: string | Uint8Array;
  /** Length of `text`; UTF-16 code units of a string. */
  readonly size: number;
}

/** Makes the server-sent event that all readers of an event get. */
export function encodeEvent(event: StreamEvent): EncodedEvent {
  const data = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const seq = event.type === "text.delta" ? 0 : event.seq;
  const message = seq === 0 ? data : `id: ${seq}\n${data}`;
  const text = message.length < MIN_BUFFER_CHARACTERS ? message : Buffer.from(message);
  const { turn, attempt } = event.type === "model.requested" ? event : NO_TURN;
  return { type: event.type, seq, turn, attempt, text, size: text.length };
}
