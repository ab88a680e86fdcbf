import { executionIdSchema, receivedEventSchema, type StreamEvent, textDeltaSchema } from "@yagate/protocol";
import * as z from "zod";
import { parseJson, parseValue } from "../http/parse-response.ts";

/** The content of one message in the stream. */
export interface ReceivedEvent {
  /** The event's number; null for events without one. */
  readonly seq: number | null;
  readonly executionId: string;
  /** The event. One with an unknown type, from a newer gateway, is passed on unchanged. */
  readonly event: StreamEvent;
}

const WHAT = "the request for the event stream";

const envelopeSchema = z.looseObject({
  type: z.string(),
  seq: z.int().min(1).optional(),
  executionId: executionIdSchema,
});

/** Parses the data of one message. Events with an unknown type keep their number and are passed on. */
export function readStreamEvent(data: string): ReceivedEvent {
  const value = parseJson(data, WHAT);
  const { type, seq, executionId } = parseValue(value, envelopeSchema, WHAT);
  const what = `${WHAT}, ${type}`;
  const event =
    type === "text.delta" ? parseValue(value, textDeltaSchema, what) : parseValue(value, receivedEventSchema, what);
  return { seq: seq ?? null, executionId, event };
}
