import type { Waiting } from "@yagate/client";
import { toVisibleLine } from "@yagate/protocol";
import { commandName } from "../command-name.ts";

/** Says that an execution goes no further for now, what it waits for, and of a person the calls with the commands that answer. */
export function tellWaiting({ executionId, reason, until, calls }: Waiting): string {
  const names = calls.map(({ toolName }) => toolName).join(", ") || "a tool";
  const asked = reason === "approval" ? calls.flatMap(linesFor) : [];
  const line = `${executionId} waits for ${subjectOf(reason, names)}, until ${until} at the latest`;
  return [line, ...asked].map(toVisibleLine).join("\n  ");
}

function linesFor({ toolName, parameters, approvalId }: Waiting["calls"][number]): readonly string[] {
  if (approvalId === undefined) return [];
  const commands = ["show", "approve", "deny"].map((verb) => `${commandName()} approvals ${verb} ${approvalId}`);
  return [`${toolName} ${JSON.stringify(parameters)}`, ...commands];
}

function subjectOf(reason: string, names: string): string {
  switch (reason) {
    case "approval":
      return "a person";
    case "callback":
      return `the result of ${names}, which comes later`;
    case "fallback":
      return `the caller's answer for ${names}`;
    case "retry":
      return "the end of a pause";
    default:
      return reason;
  }
}
