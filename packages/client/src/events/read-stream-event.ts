import { executionIdSchema, receivedEventSchema, type StreamEvent, textDeltaSchema } from "@yagate/protocol";
import * as z from "zod";
import { parseJson, parseValue } from "../http/parse-response.ts";

/** The content of one message in an event stream. */
export interface ReceivedEvent {
  /** The event's number; null if it has none. */
  readonly seq: number | null;
  readonly executionId: string;
  /** The event. An event whose type is unknown, because the gateway is newer, is passed on unchanged. */
  readonly event: StreamEvent;
}

const WHAT = "the request for the event stream";

const envelopeSchema = z.looseObject({
  type: z.string(),
  seq: z.int().min(1).optional(),
  executionId: executionIdSchema,
});

/** Parses the data of one message. Events of unknown types are passed on with their number. */
export function readStreamEvent(data: string): ReceivedEvent {
  const value = parseJson(data, WHAT);
  const { type, seq, executionId } = parseValue(value, envelopeSchema, WHAT);
  const what = `${WHAT}, ${type}`;
  const event =
    type === "text.delta" ? parseValue(value, textDeltaSchema, what) : parseValue(value, receivedEventSchema, what);
  return { seq: seq ?? null, executionId, event };
}
