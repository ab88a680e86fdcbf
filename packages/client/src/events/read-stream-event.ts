import { executionIdSchema, receivedEventSchema, type StreamEvent, textDeltaSchema } from "@yagate/protocol";
import * as z from "zod";
import { parseJson, parseValue } from "../http/parse-response.ts";

/** The content of a message in the stream. */
export interface ReceivedEvent {
  /** Null for events without a number. */
  readonly seq: number | null;
  readonly executionId: string;
  /** An event of an unknown type, from a newer gateway, is passed on unchanged. */
  readonly event: StreamEvent;
}

const WHAT = "the stream of events";

const envelopeSchema = z.looseObject({
  type: z.string(),
  seq: z.int().min(1).optional(),
  executionId: executionIdSchema,
});

/** Parses the data of one message. An event of an unknown type keeps its position and reaches the caller. */
export function readStreamEvent(data: string): ReceivedEvent {
  const value = parseJson(data, WHAT);
  const { type, seq, executionId } = parseValue(value, envelopeSchema, WHAT);
  const what = `${WHAT}, ${type}`;
  const event =
    type === "text.delta" ? parseValue(value, textDeltaSchema, what) : parseValue(value, receivedEventSchema, what);
  return { seq: seq ?? null, executionId, event };
}
