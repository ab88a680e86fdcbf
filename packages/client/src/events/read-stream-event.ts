import { executionEventSchema, executionIdSchema, type StreamEvent, textDeltaSchema } from "@yagate/protocol";
import { z } from "zod";
import { parseJson, parseValue } from "../http/parse-answer.ts";

/** What a message of the stream says. */
export interface ReceivedEvent {
  /** Null for what is not numbered. */
  readonly seq: number | null;
  readonly executionId: string;
  /** Undefined for a type that a newer gateway may send and this client does not know. */
  readonly event: StreamEvent | undefined;
}

const WHAT = "the stream of events";

const envelopeSchema = z.looseObject({
  type: z.string(),
  seq: z.int().min(1).optional(),
  executionId: executionIdSchema,
});

const numberedTypes: ReadonlySet<string> = new Set(
  executionEventSchema.options.map((option) => option.shape.type.value),
);

/** Reads one message's data. The number is read first, so that unknown events keep their place in the order. */
export function readStreamEvent(data: string): ReceivedEvent {
  const value = parseJson(data, WHAT);
  const { type, seq, executionId } = parseValue(value, envelopeSchema, WHAT);
  return { seq: seq ?? null, executionId, event: readKnown(type, value) };
}

function readKnown(type: string, value: unknown): StreamEvent | undefined {
  if (numberedTypes.has(type)) return parseValue(value, executionEventSchema, `${WHAT}, ${type}`);
  return type === "text.delta" ? parseValue(value, textDeltaSchema, `${WHAT}, ${type}`) : undefined;
}
