import { isJsonObject } from "@yagate/lib/json/json-object";
import { type DescribeRequest, YagateError } from "@yagate/protocol/calls";
import { isTimestamp } from "../rfc3339.ts";

const REQUEST_ID = /^dsc_[0-9A-Za-z_-]{1,120}$/;

/**
 * Checks a parsed body against the schema of a describe request.
 *
 * The check is written by hand, so that handlers load no schemas. A property test checks that both accept the same
 * bodies.
 *
 * @throws {@link YagateError} `PAYLOAD_INVALID` with the name of the first invalid field, never its value.
 */
export function assertDescribeRequest(value: unknown): asserts value is DescribeRequest {
  const fault = isJsonObject(value) ? findFault(value) : "the body: expected a JSON object";
  if (fault !== undefined) throw new YagateError("PAYLOAD_INVALID", fault);
}

function findFault({ type, requestId, timestamp, audience }: Readonly<Record<string, unknown>>): string | undefined {
  if (type !== "describe") return "type: expected describe";
  if (typeof requestId !== "string" || !REQUEST_ID.test(requestId)) {
    return "requestId: expected an id that starts with dsc_";
  }
  if (!isTimestamp(timestamp)) return "timestamp: expected an RFC 3339 time in UTC";
  if (typeof audience !== "string" || audience === "") return "audience: expected a string";
  return undefined;
}
