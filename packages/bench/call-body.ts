import { randomBytes } from "node:crypto";

/**
 * The body of a call, padded to a size, under an id of its own.
 *
 * @param now - ms since the epoch.
 */
export function callBody(now: number, byteLength: number): Uint8Array {
  const call = {
    toolCallId: `tc_${randomBytes(13).toString("hex")}`,
    agentId: "agt_01k9e5t8b8fxhv3c4n5p6q7r8t",
    executionId: "exec_01k9e5t8b8fxhv3c4n5p6q7r8v",
    name: "lookup_order",
    parameters: { orderId: "ORD-12345", note: "" },
    attempt: 1,
    timestamp: new Date(now).toISOString(),
    deadline: new Date(now + 10_000).toISOString(),
  };
  call.parameters.note = "x".repeat(byteLength - JSON.stringify(call).length);
  return new TextEncoder().encode(JSON.stringify(call));
}
