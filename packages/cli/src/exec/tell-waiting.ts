import type { Waiting } from "@yagate/client";
import { toVisibleLine } from "@yagate/protocol";

/** Says that an execution goes no further for now, what it waits for, and the commands that answer. */
export function tellWaiting({ executionId, reason, until, calls }: Waiting): string {
  const approvals = calls.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  const names = calls.map(({ toolName }) => toolName).join(", ") || "a tool";
  const commands = reason === "approval" ? approvals.flatMap(commandsFor) : [];
  const line = `${executionId} waits for ${subjectOf(reason, names)}, until ${until} at the latest`;
  return [line, ...commands].map(toVisibleLine).join("\n  ");
}

function commandsFor(approvalId: string): readonly string[] {
  return ["show", "approve", "deny"].map((verb) => `yagate approvals ${verb} ${approvalId}`);
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
