import type { JsonObject } from "@yagate/protocol";
import { sign, type ToolCall } from "@yagate/protocol";
import { assertToolCall } from "../../src/payload-guard.ts";

/** Secrets of the published vectors. */
export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ0b1c2d3e4U=";
export const OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDu3hJY2Yx0eA=";

/** 2027-01-15T08:00:00Z, as in the vectors. */
export const NOW_MS = 1_800_000_000_000;

/** A call that is right in every respect at {@link NOW_MS}. */
export function validCall(fields: Record<string, unknown> = {}): JsonObject & Record<string, unknown> {
  return {
    toolCallId: "tc_01k9e5t8b8fxhv3c4n5p6q7r8s",
    agentId: "agt_01k9e5t8b8fxhv3c4n5p6q7r8t",
    executionId: "exec_01k9e5t8b8fxhv3c4n5p6q7r8v",
    name: "lookup_order",
    parameters: { orderId: "ORD-12345" },
    attempt: 1,
    timestamp: new Date(NOW_MS).toISOString(),
    deadline: new Date(NOW_MS + 10_000).toISOString(),
    ...fields,
  };
}

export function toBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

/** Any value as a signed request. */
export async function signed(value: unknown, secret = SECRET) {
  const body = toBytes(value);
  return { headers: { "x-ya-signature": await sign(body, [secret]) }, body };
}

/** A call whose further fields are given as JSON text, for what an object literal can't say. */
export function parseCall(json: string, fields: Record<string, unknown> = {}): ToolCall {
  const parsed: unknown = JSON.parse(json);
  const call: unknown = { ...validCall(fields), ...Object(parsed) };
  assertToolCall(call);
  return call;
}
