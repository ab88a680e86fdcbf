import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { createScriptedModel, type ScriptedAnswer } from "../answer.ts";
import { type Choice, chooseCalls } from "./choose-calls.ts";
import { readLatestExchange } from "./latest-exchange.ts";
import { readQuestion } from "./question.ts";
import { quoteResults } from "./quote-results.ts";
import { readToolProfiles, type ToolProfile } from "./tool-profile.ts";

/**
 * A model without understanding: it calls the tools whose words are the latest question's, if the question gives all
 * their required parameters, and then quotes what they answered. The same question always leads to the same calls.
 *
 * @param options.now - ms since the epoch, for `today` and `tomorrow`.
 */
export function createKeywordModel({ now }: { readonly now: () => number }): LanguageModelV4 {
  return createScriptedModel("keyword", (options) => answer(options, now()));
}

function answer({ prompt, tools, toolChoice }: LanguageModelV4CallOptions, nowMs: number): ScriptedAnswer {
  const { question, answered } = readLatestExchange(prompt);
  if (answered.length > 0) return { text: quoteResults(answered), toolCalls: [] };
  const profiles = readToolProfiles(tools);
  if (toolChoice?.type === "none") return { text: `${INTRODUCTION} I may not call tools here.`, toolCalls: [] };
  const choice = chooseCalls(profiles, readQuestion(question, nowMs), toolChoice?.type === "required");
  if (choice.calls.length === 0) return { text: explain(profiles, choice), toolCalls: [] };
  const turn = prompt.filter((message) => message.role === "assistant").length + 1;
  const toolCalls = choice.calls.map((call, index) => ({ id: `call_${turn}_${index + 1}`, ...call }));
  return { text: "", toolCalls };
}

const INTRODUCTION =
  "I am scripted/keyword, a test model that matches the words of a question with tools and understands nothing.";

function explain(tools: readonly ToolProfile[], { incomplete }: Choice): string {
  if (tools.length === 0) return `${INTRODUCTION} I have no tools.`;
  const list = tools.map(({ name, parameterNames }) => `${name} (${parameterNames.join(", ")})`).join("; ");
  const gaps = incomplete.map(({ name, missing }) => `For ${name} I found no ${missing.join(" and no ")}.`);
  const reason = gaps.length > 0 ? gaps.join(" ") : "No tool fits this question.";
  return `${INTRODUCTION} ${reason} My tools: ${list}.`;
}
