import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isObject } from "@yagate/lib/json/json-object";
import { createScriptedModel, type ScriptedAnswer } from "../answer.ts";
import { type Choice, chooseCalls, type MatchedTool } from "./choose-calls.ts";
import { type AnsweredCall, quoteResults } from "./quote-results.ts";

const MAX_PARAMETERS = 50;
const INTRODUCTION =
  "I am scripted/keyword, a test model. I match the words of a question with tools and understand nothing.";

/**
 * Creates a model for tests and first steps. It calls the tools whose names share words with the latest question, fills
 * their parameters with values from the question, and then quotes their results. The same question always leads to the
 * same calls.
 */
export function createKeywordModel(): LanguageModelV4 {
  return createScriptedModel("keyword", answer);
}

function answer({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): ScriptedAnswer {
  const { question, answered } = readLatestExchange(prompt);
  if (answered.length > 0) return { text: quoteResults(answered), toolCalls: [] };
  if (toolChoice?.type === "none") return { text: `${INTRODUCTION} I may not call tools here.`, toolCalls: [] };
  const known = readTools(tools);
  const choice = chooseCalls(known, question, toolChoice?.type === "required");
  if (choice.calls.length === 0) return { text: explain(known, choice), toolCalls: [] };
  const turn = prompt.filter((message) => message.role === "assistant").length + 1;
  return { text: "", toolCalls: choice.calls.map((call, index) => ({ id: `call_${turn}_${index + 1}`, ...call })) };
}

/** Returns the last user message and the tool results since then. */
function readLatestExchange(prompt: LanguageModelV4Prompt): { question: string; answered: readonly AnsweredCall[] } {
  const start = prompt.findLastIndex((message) => message.role === "user");
  const asked = prompt[start];
  const texts = asked?.role === "user" ? asked.content.map((part) => (part.type === "text" ? part.text : "")) : [];
  const answered = prompt.slice(start + 1).flatMap((message) => {
    if (message.role !== "tool") return [];
    return message.content.flatMap((part): AnsweredCall[] => {
      if (part.type !== "tool-result") return [];
      const { output, toolName: name } = part;
      const value = "value" in output ? output.value : "";
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return [{ name, isError: output.type === "error-text" || output.type === "error-json", text }];
    });
  });
  return { question: texts.join("\n"), answered };
}

function readTools(tools: LanguageModelV4CallOptions["tools"] = []): readonly MatchedTool[] {
  return tools.flatMap((tool) => {
    if (tool.type !== "function") return [];
    const { properties = {}, required = [] } = tool.inputSchema;
    const parameters = Object.entries(properties).map(([name, schema]) => ({
      name,
      schema: isObject(schema) ? Object.fromEntries(Object.entries(schema)) : {},
      isRequired: required.includes(name),
    }));
    return [{ name: tool.name, parameters: parameters.slice(0, MAX_PARAMETERS) }];
  });
}

function explain(tools: readonly MatchedTool[], { incomplete }: Choice): string {
  if (tools.length === 0) return `${INTRODUCTION} I have no tools.`;
  const names = (tool: MatchedTool) => tool.parameters.map(({ name }) => name).join(", ");
  const gaps = incomplete.map(({ name, missing }) => `For ${name} I found no ${missing.join(" and no ")}.`);
  const reason = gaps.length > 0 ? gaps.join(" ") : "No tool fits this question.";
  return `${INTRODUCTION} ${reason} My tools: ${tools.map((tool) => `${tool.name} (${names(tool)})`).join("; ")}.`;
}
