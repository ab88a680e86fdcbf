import type { Approval } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { readJsonArgument } from "../read-text.ts";

export interface ApproveCommandOptions {
  readonly parameters?: string;
  readonly comment?: string;
}

/**
 * Approves a tool call.
 *
 * @throws YagateError `INVALID_REQUEST` if the arguments are not a JSON object, and the errors of the gateway.
 */
export async function approve(
  invocation: Invocation,
  id: string,
  { parameters: text, comment }: ApproveCommandOptions,
): Promise<void> {
  const client = await invocation.client();
  const parameters =
    text === undefined ? undefined : await readJsonArgument(text, "--parameters", `{ "orderId": "ORD-7" }`);
  say(invocation, await client.approvals.approve(id, { parameters, comment }));
}

/** Denies a tool call. */
export async function deny(
  invocation: Invocation,
  id: string,
  { reason }: { readonly reason?: string },
): Promise<void> {
  say(invocation, await (await invocation.client()).approvals.deny(id, { reason }));
}

function say({ output }: Invocation, approval: Approval): void {
  const { id, status, tool } = approval;
  output.done(approval, `${id} was ${status}: ${tool.name}.`);
}
