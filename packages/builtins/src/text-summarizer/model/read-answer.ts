import { parse as parseJson } from "secure-json-parse";
import * as z from "zod";
import type { Note } from "./question-texts.ts";

/** An answer of the model that is not of the form that was asked for. */
export class UnreadableAnswerError extends Error {
  override readonly name = "UnreadableAnswerError";
}

/** Models write numbers of passages as numbers, as texts, with brackets. */
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

/** What a summary was answered with, before anything of it was checked against the text. */
export interface DraftSummary {
  readonly summary: string;
  readonly keyPoints: readonly Note[];
}

/** @throws UnreadableAnswerError. */
export function readFinalAnswer(text: string): DraftSummary {
  return parsed(finalSchema, text);
}

/** @throws UnreadableAnswerError. */
export function readNotesAnswer(text: string): readonly Note[] {
  return parsed(notesSchema, text).notes;
}

function parsed<Output>(schema: z.ZodType<Output>, text: string): Output {
  const { data } = schema.safeParse(objectIn(text));
  if (data === undefined) throw new UnreadableAnswerError("the model's answer is not of the form that was asked for");
  return data;
}

/** The object of an answer, with words or Markdown around it or without. */
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
