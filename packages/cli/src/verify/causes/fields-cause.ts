import { field } from "../json-fields.ts";
import type { Verdict } from "../judge.ts";
import type { SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";
import { decodeText } from "./decode-text.ts";

/** Explains why a signed body is not a call. The signature is correct, so the sender wrote the body this way. */
export function fieldsCause({ faults, call, reason }: Verdict, { body }: SavedRequest): Cause {
  if (call !== undefined) {
    return {
      id: "audience",
      cause: `${reason}: the audience in the body differs from the expected audience`,
      advice:
        "the audience is the handler's URL exactly as saved in the tool: compare the scheme, the host, the path and a slash at the end",
    };
  }
  if (faults === undefined) {
    return {
      id: "not-json",
      cause: `${reason}, and the signature covers it: it was sent this way`,
      advice: body[0] === 0xef ? "remove the byte order mark" : "sign the JSON of a call, in UTF-8",
    };
  }
  const unit = timestampUnit(body);
  if (unit !== undefined) {
    return {
      id: "timestamp-unit",
      cause: `timestamp is a number of ${unit}`,
      advice: "timestamp is an RFC 3339 text in UTC: 2026-01-15T18:02:11.482Z; seconds belong in webhook-timestamp",
    };
  }
  return {
    id: "fields",
    cause: "the signature is correct, but fields of the call are not",
    advice: "the sender is not a gateway of this protocol, or is a custom program that omits something",
  };
}

function timestampUnit(body: Buffer): string | undefined {
  try {
    const timestamp = field(JSON.parse(decodeText(body) ?? ""), "timestamp");
    if (!/^\d{9,17}$/.test(String(timestamp))) return undefined;
    return String(timestamp).length > 11 ? "milliseconds" : "seconds";
  } catch {
    return undefined;
  }
}
