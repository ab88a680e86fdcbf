import { toVisibleText } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { usageError } from "../frame/usage-error.ts";

/** Prints an execution's receipt. The exit status is 1 if the record was changed. */
export async function printReceipt(
  invocation: Invocation,
  executionId: string | undefined,
  isText: boolean,
): Promise<void> {
  if (executionId === undefined) throw usageError("expected the id of an execution, or verify <file>");
  const { executions } = await invocation.client();
  const receipt = await executions.receipt(executionId);
  if (!receipt.verified) process.exitCode = EXIT.answerIsNo;
  if (!isText || invocation.output.isJson) return invocation.output.document(receipt);
  console.log(toVisibleText(await executions.receiptText(executionId)).trimEnd());
}
