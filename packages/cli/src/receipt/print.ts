import { toVisibleText } from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";

/** Prints an execution's receipt; ends with status 1 when its record was changed. */
export async function printReceipt(executionId: string, isText: boolean): Promise<void> {
  const { executions } = gatewayClient();
  const receipt = await executions.receipt(executionId);
  if (!receipt.verified) process.exitCode = 1;
  process.stdout.write(
    toVisibleText(isText ? await executions.receiptText(executionId) : `${JSON.stringify(receipt, null, 2)}\n`),
  );
}
