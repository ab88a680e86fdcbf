import type { Waiting, Yagate } from "@yagate/client";
import { toVisibleLine, YagateError } from "@yagate/protocol";
import { describeApproval } from "../approvals/show.ts";
import { askYesNo } from "../frame/confirm.ts";
import type { Terminal } from "../signing-secrets/read-hidden.ts";

/** `ask`: a person at the terminal decides each call. `deny`: every call is denied. */
export type ApproveMode = "ask" | "deny";

/**
 * Parses `--approve`.
 *
 * @throws YagateError `INVALID_REQUEST` for any other value, and for `ask` without a terminal.
 */
export function approveModeOf(text: string | undefined, terminal: Terminal): ApproveMode | undefined {
  if (text === undefined) return undefined;
  if (text !== "ask" && text !== "deny") {
    throw new YagateError("INVALID_REQUEST", `expected --approve to be ask or deny, but got ${text}`);
  }
  if (text === "deny" || terminal.isInteractive) return text;
  throw new YagateError("INVALID_REQUEST", "expected a terminal for --approve ask", {
    hint: "use --approve deny, or omit the option and decide with the printed commands",
  });
}

/** Decides the approvals for which an execution waits. Each is shown exactly as its call would be sent. */
export async function decideApprovals(
  { approvals }: Pick<Yagate, "approvals">,
  { reason, calls }: Waiting,
  mode: ApproveMode,
  terminal: Terminal,
): Promise<void> {
  if (reason !== "approval") return;
  for (const { approvalId, toolName } of calls) {
    if (approvalId === undefined) continue;
    const isApproved = mode === "ask" && (await ask(approvalId));
    if (isApproved) await approvals.approve(approvalId, {});
    else await approvals.deny(approvalId, { reason: "denied at the command line" });
    terminal.output.write(
      toVisibleLine(`${approvalId} was ${isApproved ? "approved" : "denied"}: ${toolName}`).concat("\n"),
    );
  }

  async function ask(id: string): Promise<boolean> {
    terminal.output.write(`\n${describeApproval(await approvals.get(id))}\n\n`);
    return askYesNo("Approve this call?", terminal);
  }
}
