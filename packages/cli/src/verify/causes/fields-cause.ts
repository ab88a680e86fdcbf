import { field } from "../json-fields.ts";
import type { Verdict } from "../judge.ts";
import type { SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";
import { decodeText } from "./decode-text.ts";

/** Why a signed body is no call: its signature is right, so its sender wrote it so. */
export function fieldsCause({ faults, call, reason }: Verdict, { body }: SavedRequest): Cause {
  if (call !== undefined) {
    return {
      id: "audience",
      cause: `${reason}: the audience in its body is not the one that it was judged by`,
      advice:
        "the audience is the handler's URL exactly as saved with the tool: compare scheme, host, path and a slash at the end",
    };
  }
  if (faults === undefined) {
    return {
      id: "not-json",
      cause: `${reason}, and the signature covers it: it was sent like this`,
      advice: body[0] === 0xef ? "remove the byte order mark" : "sign the JSON of a call, in UTF-8",
    };
  }
  const unit = timestampUnit(body);
  if (unit !== undefined) {
    return {
      id: "timestamp-unit",
      cause: `timestamp is a number of ${unit}`,
      advice:
        "timestamp is a text as RFC 3339 has it, in UTC: 2026-01-15T18:02:11.482Z; seconds belong to webhook-timestamp",
    };
  }
  return {
    id: "fields",
    cause: "the signature is right, but fields of the call are not",
    advice: "the signer is no gateway of this protocol, or a program of one's own that leaves something out",
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
