import type { JsonObject } from "@yagate/protocol";
import { findValue, type Parameter } from "./find-value.ts";
import { Question, type Span } from "./question.ts";
import { stemsOfName } from "./words.ts";

const MAX_CALLS = 8;
/**
 * Verbs for tools that write. A tool whose name starts with one of these verbs is called only if the question contains
 * the verb.
 */
const WRITING_VERBS = new Set(
  "add approve book buy cancel create delete insert pay post refund remove reserve send set transfer update write".split(
    " ",
  ),
);

/** A tool with its parsed parameters. */
export interface MatchedTool {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/** The calls for a question, and the matching tools that lack required values. */
export interface Choice {
  readonly calls: readonly { readonly name: string; readonly parameters: JsonObject }[];
  readonly incomplete: readonly { readonly name: string; readonly missing: readonly string[] }[];
}

interface Match {
  readonly tool: MatchedTool;
  readonly parameters: JsonObject;
  readonly missing: readonly string[];
  readonly spans: readonly Span[];
  readonly score: number;
}

/**
 * Selects the tool with the most matching words and values, then the next tool for the rest of the question. Each part
 * of the question is used for one tool only.
 *
 * @param isRequired - whether to call a tool that does not match if no other tool can be called.
 */
export function chooseCalls(tools: readonly MatchedTool[], text: string, isRequired: boolean): Choice {
  const chosen: Match[] = [];
  let question = Question.read(text);
  while (chosen.length < MAX_CALLS) {
    const open = tools.filter((tool) => chosen.every((match) => match.tool !== tool));
    const best = open.map((tool) => matchTool(tool, question)).reduce<Match | undefined>(better, undefined);
    if (best === undefined || best.score === 0) break;
    chosen.push(best);
    question = question.without(best.spans);
  }
  const complete = chosen.filter(({ missing }) => missing.length === 0);
  const spare = isRequired && complete.length === 0 ? tools.map((tool) => matchTool(tool, question)) : [];
  const fallback = spare.filter(({ missing }) => missing.length === 0).slice(0, 1);
  const calls = [...complete, ...fallback].sort((left, right) => tools.indexOf(left.tool) - tools.indexOf(right.tool));
  return {
    calls: calls.map(({ tool, parameters }) => ({ name: tool.name, parameters })),
    incomplete: chosen
      .filter(({ missing }) => missing.length > 0)
      .map(({ tool, missing }) => ({ name: tool.name, missing })),
  };
}

function better(best: Match | undefined, match: Match): Match {
  return best === undefined || match.score > best.score ? match : best;
}

function matchTool(tool: MatchedTool, question: Question): Match {
  const stems = stemsOfName(tool.name);
  const words = stems.flatMap((stem) => question.tokens.find((token) => token.stem === stem) ?? []);
  const from = Math.max(0, ...words.map(({ end }) => end));
  const parameters: JsonObject = {};
  const spans: Span[] = [...words];
  const missing: string[] = [];
  let isMeant = words.length > 0;
  let left = question;
  for (const parameter of tool.parameters) {
    const found = findValue(parameter, left, from);
    if (found !== undefined) {
      parameters[parameter.name] = found.value;
      spans.push(...found.spans);
      left = left.without(found.spans);
      if (found.isTelling === true) isMeant = true;
    } else if (parameter.isRequired) missing.push(parameter.name);
  }
  const verb = tool.name.split(/[^a-z]/)[0] ?? "";
  if (WRITING_VERBS.has(verb) && words[0]?.stem !== stems[0]) isMeant = false;
  // If two tools match equally well, prefer the one that can be called.
  const score = isMeant ? words.length + spans.length + (missing.length === 0 ? 0.5 : 0) : 0;
  return { tool, parameters, missing, spans, score };
}
