import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AnsweredCall } from "./quote-results.ts";

/** The last thing the user said, and what tools have answered since. */
export function readLatestExchange(prompt: LanguageModelV4Prompt): {
  readonly question: string;
  readonly answered: readonly AnsweredCall[];
} {
  const start = prompt.findLastIndex((message) => message.role === "user");
  const asked = prompt[start];
  const question =
    asked?.role === "user" ? asked.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";
  const parameters = new Map<string, unknown>();
  const answered: AnsweredCall[] = [];
  for (const message of prompt.slice(start + 1)) {
    if (message.role === "system" || message.role === "user") continue;
    for (const part of message.content) {
      if (part.type === "tool-call") parameters.set(part.toolCallId, part.input);
      if (part.type !== "tool-result") continue;
      const { output } = part;
      answered.push({
        name: part.toolName,
        parameters: parameters.get(part.toolCallId),
        isError: output.type === "error-text" || output.type === "error-json",
        text: "value" in output ? toText(output.value) : "",
      });
    }
  }
  return { question, answered };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
