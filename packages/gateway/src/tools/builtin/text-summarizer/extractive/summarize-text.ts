import { detectLanguage } from "../../../../language/detect-language.ts";
import { centralityOf } from "./centrality.ts";
import { chooseSentences } from "./choose-sentences.ts";
import type { ExtractiveRequest, ExtractiveSummary } from "./extractive-summary.ts";
import { readCandidates } from "./read-candidates.ts";
import { scoreSentences } from "./score-sentences.ts";
import { linkSentences } from "./sentence-graph.ts";
import { shortlist } from "./shortlist.ts";
import { createTermWeigher } from "./term-weights.ts";

/** Chooses the sentences of a text that say most of it; the same text gives the same ones every time. */
export function summarizeText(request: ExtractiveRequest): ExtractiveSummary {
  const { text, maxSentences, maxCharacters = Number.POSITIVE_INFINITY } = request;
  const language = request.language ?? detectLanguage(text);
  const { sentenceCount, candidates, headings } = readCandidates(text, language);
  const short = shortlist(candidates, maxSentences);
  const weigh = createTermWeigher(short);
  const weighted = short.map(({ terms }) => weigh(terms));
  const centrality = centralityOf(linkSentences(weighted));
  const scores = scoreSentences({ candidates: short, centrality, headings, sentenceCount });
  const chosen = chooseSentences({ candidates: short, weighted, scores, maxSentences, maxCharacters });
  const sentences = chosen.map(({ start, end }) => ({ text: text.slice(start, end), start, end }));
  return { sentences, language, sentenceCount };
}
