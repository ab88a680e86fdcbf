import type { JsonObject } from "@yagate/protocol";
import { type FilledParameters, fillParameters } from "./fill-parameters.ts";
import type { Question } from "./question.ts";
import { overlaps } from "./span.ts";
import type { ToolProfile } from "./tool-profile.ts";
import { matchWords, type WordMatch } from "./word-match.ts";
import { ACTING_VERBS, hasSynonym } from "./words.ts";

/** Words in common that make a tool worth a call. */
const MIN_WORD_SCORE = 2;
const MAX_CALLS = 8;
const MAX_TOOLS = 24;

/** A call that the model asks for. */
export interface ChosenCall {
  readonly name: string;
  readonly parameters: JsonObject;
}

/** What the model would do, and what kept it from doing more. */
export interface Choice {
  readonly calls: readonly ChosenCall[];
  /** Tools that fit the question, had it given these parameters. */
  readonly incomplete: readonly { readonly name: string; readonly missing: readonly string[] }[];
}

interface Match extends WordMatch {
  readonly filled: FilledParameters;
}

/**
 * Chooses tools whose words are the question's and whose required parameters the question gives.
 *
 * @param isRequired - a call must come out of it if any tool can be called at all.
 */
export function chooseCalls(tools: readonly ToolProfile[], question: Question, isRequired: boolean): Choice {
  const matches = likeliest(matchWords(tools, question)).map((match): Match => {
    const filled = fillParameters(match.tool.schema, match.tool.words, question);
    return { ...match, wordScore: match.wordScore + filled.clearValues, filled };
  });
  const fitting = matches.filter((match) => fits(match, question));
  const complete = fitting.filter((match) => match.filled.missing.length === 0);
  // A tool that is meant but lacks a value is not replaced by its neighbour.
  const chosen = complete.filter((match) => !isOutdone(match, fitting));
  const fallback = isRequired && chosen.length === 0 ? mostLikely(matches) : [];
  return {
    calls: [...chosen, ...fallback].flatMap(toCalls).slice(0, MAX_CALLS),
    incomplete: closest(fitting.filter((match) => match.filled.missing.length > 0)).map(({ tool, filled }) => ({
      name: tool.name,
      missing: filled.missing,
    })),
  };
}

/** Filling parameters is what costs time, so it is done for tools that have the best chances. */
function likeliest(matches: readonly WordMatch[]): readonly WordMatch[] {
  if (matches.length <= MAX_TOOLS) return matches;
  const best = new Set([...matches].sort((left, right) => right.wordScore - left.wordScore).slice(0, MAX_TOOLS));
  return matches.filter((match) => best.has(match));
}

function closest(matches: readonly Match[]): readonly Match[] {
  const rank = ({ distinction, wordScore }: Match) => distinction * 100 + wordScore;
  const best = Math.max(...matches.map(rank));
  return matches.filter((match) => rank(match) === best);
}

function fits({ tool, filled, wordScore }: Match, { stems }: Question): boolean {
  const verbs = tool.words.filter((word) => ACTING_VERBS.has(word));
  // Nobody cancels an order by asking where it is.
  if (verbs.length > 0 && !verbs.some((verb) => stems.has(verb) || hasSynonym(verb, stems))) return false;
  return wordScore >= MIN_WORD_SCORE || filled.isTelling;
}

/** Whether another tool that fits better wants the same values, or is named where this one is not. */
function isOutdone(match: Match, others: readonly Match[]): boolean {
  return others.some((other) => {
    if (other === match) return false;
    if (!wantSameValue(match, other)) {
      const isVague = match.distinction === 0 || (match.distinction === 1 && match.filled.taken.length === 0);
      return isVague && !match.filled.isTelling && other.distinction === 2;
    }
    if (other.distinction !== match.distinction) return other.distinction > match.distinction;
    if (match.distinction === 2) return false;
    if (other.wordScore !== match.wordScore) return other.wordScore > match.wordScore;
    if (other.isOnlyReading !== match.isOnlyReading) return other.isOnlyReading;
    return others.indexOf(other) < others.indexOf(match);
  });
}

function wantSameValue(left: Match, right: Match): boolean {
  return left.filled.taken.some((span) => right.filled.taken.some((other) => overlaps(span, other)));
}

function mostLikely(matches: readonly Match[]): readonly Match[] {
  const possible = matches.filter((match) => match.filled.missing.length === 0);
  const best = Math.max(...possible.map((match) => match.wordScore));
  return possible.filter((match) => match.wordScore === best).slice(0, 1);
}

function toCalls({ tool, filled }: Match): readonly ChosenCall[] {
  return [filled.parameters, ...filled.others].map((parameters) => ({ name: tool.name, parameters }));
}
