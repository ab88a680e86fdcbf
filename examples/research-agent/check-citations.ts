import type { ExecutionResult } from "@yagate/client";
import { z } from "zod";

const evidenceSchema = z.object({
  results: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      url: z.string(),
      snippet: z.string(),
      claims: z.array(z.object({ text: z.string() })),
    }),
  ),
});

type Source = z.infer<typeof evidenceSchema>["results"][number];

/** The citations of an answer, compared with the sources that the searches of the same execution found. */
export interface CitationCheck {
  /** Sources that were cited and found. */
  readonly sources: readonly Source[];
  /** Cited ids that no source has. */
  readonly unknown: readonly number[];
  /** Quotations that are not in the source that the answer cites for them. */
  readonly misquoted: readonly string[];
}

/** @param answer - with citations as `[1]`, and quotations as `“…” [1]`. */
export function checkCitations(answer: string, toolCalls: ExecutionResult["toolCalls"]): CitationCheck {
  const found = toolCalls.flatMap(({ name, result }) => {
    const evidence = name === "web_search" ? evidenceSchema.safeParse(result) : undefined;
    return evidence?.success === true ? evidence.data.results : [];
  });
  const withId = (id: number) => found.filter((source) => source.id === id);
  const ids = [...new Set([...answer.matchAll(/\[(\d{1,3})\]/g)].map((match) => Number(match[1])))];
  const quotations = [...answer.matchAll(/“([^”]+)”\s*\[(\d{1,3})\]/g)];
  const misquoted = quotations.filter(([, text = "", id]) => !withId(Number(id)).some((source) => says(source, text)));
  return {
    sources: ids.flatMap(withId),
    unknown: ids.filter((id) => withId(id).length === 0),
    misquoted: misquoted.map(([, text = ""]) => text),
  };
}

function says({ snippet, claims }: Source, text: string): boolean {
  return [snippet, ...claims.map((claim) => claim.text)].some((part) => onOneLine(part).includes(onOneLine(text)));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
