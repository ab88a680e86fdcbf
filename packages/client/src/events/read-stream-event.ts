import { executionIdSchema, receivedEventSchema, type StreamEvent, textDeltaSchema } from "@yagate/protocol";
import * as z from "zod";
import { parseJson, parseValue } from "../http/parse-answer.ts";

/** What a message of the stream says. */
export interface ReceivedEvent {
  /** Null for what is not numbered. */
  readonly seq: number | null;
  readonly executionId: string;
  /** As it came where its type is one that only a newer gateway knows. */
  readonly event: StreamEvent;
}

const WHAT = "the stream of events";

const envelopeSchema = z.looseObject({
  type: z.string(),
  seq: z.int().min(1).optional(),
  executionId: executionIdSchema,
});

/** Reads one message's data. An event of an unknown type keeps its place in the order and goes to the caller. */
export function readStreamEvent(data: string): ReceivedEvent {
  const value = parseJson(data, WHAT);
  const { type, seq, executionId } = parseValue(value, envelopeSchema, WHAT);
  const what = `${WHAT}, ${type}`;
  const event =
    type === "text.delta" ? parseValue(value, textDeltaSchema, what) : parseValue(value, receivedEventSchema, what);
  return { seq: seq ?? null, executionId, event };
}
