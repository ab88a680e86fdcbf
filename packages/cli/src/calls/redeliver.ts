import { defined } from "@yagate/lib/objects/defined";
import { type Redelivery, toVisibleLine, toVisibleText } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";

export interface RedeliverOptions {
  readonly confirm?: boolean;
  readonly to?: string;
}

/**
 * Sends an ended call to its handler again, through the gateway. The exit status is 1 if the handler returned no
 * result.
 */
export async function redeliverCall(invocation: Invocation, id: string, options: RedeliverOptions): Promise<void> {
  const { confirm, to: url } = options;
  const { toolCalls } = await invocation.client();
  const redelivery = await toolCalls.redeliver(id, {
    ...defined({ url }),
    ...(confirm === true ? { confirm: true as const } : {}),
  });
  invocation.output.result(redelivery, () => describe(redelivery));
  if (redelivery.notice !== undefined) invocation.output.note(redelivery.notice);
  if (redelivery.status === "failed") process.exitCode = EXIT.answerIsNo;
}

function describe({ attempt, status, result, error }: Redelivery): string {
  const took = attempt.durationMs === null ? "" : `, ${Math.round(attempt.durationMs)} ms`;
  const response = attempt.httpStatus === undefined ? "no response" : `HTTP ${attempt.httpStatus}`;
  const heading = toVisibleLine(`${attempt.id}: ${status}, ${response}${took}, ${attempt.url}`);
  if (error !== undefined) return `${heading}\n${toVisibleLine(`${error.code}: ${error.message}`)}`;
  return result === undefined ? heading : `${heading}\n\n${toVisibleText(JSON.stringify(result, null, 2))}`;
}
