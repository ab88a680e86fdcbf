import { createHmac } from "node:crypto";
import { SIGNATURE_HEADER } from "@yagate/protocol";
import { encode, newId } from "./live-call.ts";
import type { Probe } from "./probe.ts";
import type { Message } from "./wire/exchange.ts";

/** A describe request, with its id and its exact bytes. */
export interface DescribeMessage extends Message {
  readonly requestId: string;
  readonly body: Uint8Array;
}

/** Returns the fields of a genuine describe request, with the given changes. */
export function describeFields(
  { settings: { audience, now } }: Probe,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> & { readonly requestId: string } {
  const timestamp = new Date(now()).toISOString();
  return { type: "describe", requestId: newId("dsc"), timestamp, audience, ...changes };
}

/** Returns a signed describe request. It has neither the headers of Standard Webhooks nor an Idempotency-Key. */
export function describeMessage(
  probe: Probe,
  changes: Readonly<Record<string, unknown>> = {},
  secret = probe.settings.secret,
): DescribeMessage {
  const fields = describeFields(probe, changes);
  return signedAsDescribe(encode(fields), fields.requestId, secret);
}

/** Signs any bytes as a describe request, including bytes that no gateway sends. */
export function signedAsDescribe(body: Uint8Array, requestId: string, secret: string): DescribeMessage {
  const signature = `sha256=${createHmac("sha256", secret).update("describe.").update(body).digest("hex")}`;
  const headers = [
    ["content-type", "application/json"],
    ["accept-encoding", "identity"],
    [SIGNATURE_HEADER, signature],
  ] as const;
  return { requestId, headers, body };
}
