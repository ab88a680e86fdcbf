import type { Waiting } from "@yagate/client";
import { toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { commandsFor } from "../inputs/show.ts";

/**
 * Describes what an execution is waiting for, and until when. For an approval or input, adds each call with the commands
 * that decide or answer.
 */
export function describeWaiting({ executionId, reason, until, calls }: Waiting): string {
  const names = calls.map(({ toolName }) => toolName).join(", ") || "a tool";
  const asked = reason === "approval" ? calls.flatMap(linesFor) : reason === "input" ? calls.flatMap(questionsOf) : [];
  const line = `${executionId} is waiting for ${subjectOf(reason, names)}, until ${until} at the latest`;
  return [line, ...asked].map(toVisibleLine).join("\n  ");
}

function linesFor({ toolName, parameters, approvalId }: Waiting["calls"][number]): readonly string[] {
  if (approvalId === undefined) return [];
  const commands = ["show", "approve", "deny"].map((verb) => `${commandName()} approvals ${verb} ${approvalId}`);
  return [`${toolName} ${JSON.stringify(parameters)}`, ...commands];
}

function questionsOf({ toolName, toolCallId, input }: Waiting["calls"][number]): readonly string[] {
  if (input === undefined) return [];
  const { round, questions } = input;
  const show = `${commandName()} inputs show ${toolCallId}`;
  const asked = questions.map(({ message }) => `${toolName} asks: ${message}`);
  return [...asked, show, ...commandsFor({ toolCallId, round, questions })];
}

function subjectOf(reason: string, names: string): string {
  switch (reason) {
    case "approval":
      return "an approval";
    case "input":
      return `the answers to the questions of ${names}`;
    case "callback":
      return `the callback of ${names}`;
    case "fallback":
      return `a fallback from its caller for ${names}`;
    case "retry":
      return "the end of a pause";
    default:
      return reason;
  }
}
