import { readFileSync } from "node:fs";
import { z } from "zod";

const DATA = new URL("./data/", import.meta.url);

const manifestSchema = z.array(
  z.strictObject({
    id: z.string(),
    language: z.string(),
    kind: z.enum(["chapter", "tutorial", "how-to", "note"]),
    title: z.string(),
    half: z.enum(["development", "held-out"]),
    document: z.string(),
    source: z.string(),
    authors: z.string(),
    licence: z.string(),
  }),
);

/** A text with the abstract that its authors gave it. */
export type SummarizedText = z.infer<typeof manifestSchema>[number] & {
  readonly text: string;
  readonly abstract: string;
};

/** All texts of the evaluation; the texts of one document in several languages are in the same half. */
export function readTexts(): readonly SummarizedText[] {
  return manifestSchema
    .parse(JSON.parse(read("manifest.json")))
    .map((entry) => ({ ...entry, text: read(`${entry.id}.txt`), abstract: read(`${entry.id}.abstract.txt`).trim() }));
}

function read(name: string): string {
  return readFileSync(new URL(name, DATA), "utf8");
}
