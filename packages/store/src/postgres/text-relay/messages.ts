import { withoutHalfAtEnd } from "@yagate/lib/text/cut-text";
import * as z from "zod";
import type { PartialTextPiece } from "../../events/text-relay.ts";

/** The channel for announcements, and for texts with several subscribers. */
export const SHARED_CHANNEL = "yagate_text";

/** Returns the name of the channel for texts that only this replica subscribes to. */
export function channelOf(replica: string): string {
  return `${SHARED_CHANNEL}_${replica}`;
}

/**
 * Maximum size of the content. A payload must be shorter than 8,000 bytes, and the JSON around the chunks or ids takes
 * up the rest.
 */
const MAX_CONTENT_BYTES = 7_800;
/** Maximum size of a chunk's fields other than its text, in bytes: an id, three numbers and punctuation. */
const PIECE_BYTES = 120;

/**
 * - `listen`: subscribes to the texts of these executions. A text that is still growing is sent from its beginning.
 * - `renew`: renews the subscription. A replica that does not know the subscription treats it as `listen`.
 * - `stop`: ends the subscription.
 */
export type InterestKind = "listen" | "renew" | "stop";

export interface Interest {
  readonly kind: InterestKind;
  readonly executionIds: readonly string[];
}

/** A message between replicas. A new replica sends `who` to request the subscriptions of the others. */
export type TextMessage =
  | (Interest & { readonly from: string })
  | { readonly kind: "who"; readonly from: string }
  | { readonly kind: "text"; readonly from: string; readonly pieces: readonly PartialTextPiece[] };

const position = z.int().min(0);
const pieceSchema = z
  .tuple([z.string(), position, position, position, z.string()])
  .transform(([executionId, turn, attempt, start, text]) => ({ executionId, turn, attempt, position: start, text }));
const from = z.string();
const messageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["listen", "renew", "stop"]), from, executionIds: z.array(z.string()) }),
  z.object({ kind: z.literal("who"), from }),
  z.object({ kind: z.literal("text"), from, pieces: z.array(pieceSchema) }),
]);

/** Parses a payload. @returns undefined if it is not a known message, for example if a later version sent it. */
export function parseTextMessage(payload: string): TextMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

export function whoPayload(sender: string): string {
  return JSON.stringify({ kind: "who", from: sender });
}

/** Packs these ids into as few payloads as possible. */
export function interestPayloads(sender: string, { kind, executionIds }: Interest): readonly string[] {
  return pack(executionIds.map((id) => JSON.stringify(id))).map(
    (content) => `{"kind":"${kind}","from":${JSON.stringify(sender)},"executionIds":[${content}]}`,
  );
}

/** Packs these chunks into as few payloads as possible, in order. Long texts are cut, but never inside a character. */
export function textPayloads(sender: string, pieces: readonly PartialTextPiece[]): readonly string[] {
  const contents = pieces.flatMap((piece) => [...cut(piece)].map(toContent));
  return pack(contents).map((content) => `{"kind":"text","from":${JSON.stringify(sender)},"pieces":[${content}]}`);
}

function toContent({ executionId, turn, attempt, position: start, text }: PartialTextPiece): string {
  return JSON.stringify([executionId, turn, attempt, start, text]);
}

function* cut(piece: PartialTextPiece): Generator<PartialTextPiece, void, void> {
  const { text } = piece;
  for (let start = 0; start < text.length; ) {
    const part = beginningOf(text, start);
    yield { ...piece, position: piece.position + start, text: part };
    start += part.length;
  }
}

/** Returns the longest part of a text from `start` that is certain to fit into one payload. */
function beginningOf(text: string, start: number): string {
  for (let length = MAX_CONTENT_BYTES; ; length = Math.floor(length / 2)) {
    const part = text.slice(start, start + length);
    const whole = start + length < text.length ? withoutHalfAtEnd(part) : part;
    if (Buffer.byteLength(JSON.stringify(whole)) <= MAX_CONTENT_BYTES - PIECE_BYTES) return whole;
  }
}

function pack(items: readonly string[]): readonly string[] {
  const packed: string[] = [];
  let content: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = Buffer.byteLength(item) + 1;
    if (bytes + itemBytes > MAX_CONTENT_BYTES && content.length > 0) {
      packed.push(content.join(","));
      content = [];
      bytes = 0;
    }
    content.push(item);
    bytes += itemBytes;
  }
  if (content.length > 0) packed.push(content.join(","));
  return packed;
}
