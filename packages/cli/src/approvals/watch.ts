import { type Approval, toVisibleLine } from "@yagate/protocol";
import { withCommandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";
import { wholeNumberOf } from "../whole-number.ts";

export interface WatchApprovalsOptions {
  readonly limit?: string;
}

/**
 * Prints each approval that waits for a decision, as soon as it is requested, with the commands to decide it.
 *
 * @throws YagateError `INVALID_REQUEST` if the limit is not a whole number.
 */
export async function watchApprovals(invocation: Invocation, options: WatchApprovalsOptions): Promise<void> {
  const { output } = invocation;
  const limit = options.limit === undefined ? undefined : wholeNumberOf(options.limit, "--limit", { min: 1 });
  const { approvals, changes } = await invocation.client();
  /** The approvals that were pending at the previous request. All others are new. */
  let known: ReadonlySet<string> = new Set();
  let printed = 0;
  for await (const { type } of changes.follow()) {
    if (type !== "connected" && type !== "approval.changed") continue;
    const pending = await approvals.list({ status: "pending" }).toArray();
    for (const approval of pending.toReversed()) {
      if (known.has(approval.id)) continue;
      output.line(approval, () => describe(approval));
      printed += 1;
      if (printed === limit) return;
    }
    known = new Set(pending.map(({ id }) => id));
  }
}

function describe({ id, tool, agentName, expiresAt, parameters }: Approval): string {
  const what = `${tool.name}${tool.risk === null ? "" : ` (${tool.risk})`}`;
  const commands = ["show", "approve", "deny"].map((verb) => withCommandName(`yagate approvals ${verb} ${id}`));
  const details = [JSON.stringify(parameters), ...commands].map((line) => `  ${toVisibleLine(line)}`);
  return [toVisibleLine(`${id}, ${what}, ${agentName}, until ${expiresAt}`), ...details].join("\n");
}
