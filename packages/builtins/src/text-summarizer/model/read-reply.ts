import { parse as parseJson } from "secure-json-parse";
import * as z from "zod";
import type { Note } from "./prompts.ts";

/** Thrown if the model's reply is not in the requested format. */
export class UnreadableReplyError extends Error {
  override readonly name = "UnreadableReplyError";
}

/** Accepts passage numbers as numbers, as strings and in brackets, as models write them. */
const citation = z
  .union([z.number(), z.string()])
  .transform((value) => (typeof value === "number" ? value : Number(/\d+/.exec(value)?.[0] ?? Number.NaN)));
const citations = z
  .union([z.array(citation), citation.transform((one) => [one])])
  .catch([])
  .default([]);
const note = z.union([
  z.looseObject({ text: z.string(), passages: citations }),
  z.string().transform((text) => ({ text, passages: [] })),
]);
const notes = z.array(note).max(200);

const finalSchema = z.looseObject({ summary: z.string().min(1), keyPoints: notes.default([]) });
const notesSchema = z.looseObject({ notes });

/** The summary in a reply, not yet checked against the text. */
export interface DraftSummary {
  readonly summary: string;
  readonly keyPoints: readonly Note[];
}

/** Reads a summary from a reply. @throws UnreadableReplyError. */
export function readFinalReply(text: string): DraftSummary {
  return parsed(finalSchema, text);
}

/** Reads notes from a reply. @throws UnreadableReplyError. */
export function readNotesReply(text: string): readonly Note[] {
  return parsed(notesSchema, text).notes;
}

function parsed<Output>(schema: z.ZodType<Output>, text: string): Output {
  const { data } = schema.safeParse(objectIn(text));
  if (data === undefined) throw new UnreadableReplyError("the model's reply is not in the requested format");
  return data;
}

/** Extracts the JSON object from a reply, which may have text or Markdown around it. */
function objectIn(text: string): unknown {
  const begin = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (begin === -1 || end < begin) return undefined;
  try {
    return parseJson(text.slice(begin, end + 1));
  } catch {
    return undefined;
  }
}
