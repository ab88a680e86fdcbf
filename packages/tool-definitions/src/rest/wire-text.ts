import { type JsonValue, YagateError } from "@yagate/protocol";
import { encodeForUrl } from "./path-segment.ts";

/**
 * A string, number or boolean as text.
 *
 * @param name - of the parameter, for the message.
 * @throws YagateError `INVALID_ARGUMENTS` for null, a list and an object.
 */
export function wireText(value: JsonValue, name: string): string {
  if (typeof value === "object") throw refused(name, "must be a text, a number or a boolean");
  return String(value);
}

/** The same, percent-encoded for any place of a URL or form. @throws YagateError `INVALID_ARGUMENTS`. */
export function encodedText(value: JsonValue, name: string): string {
  const encoded = encodeForUrl(wireText(value, name));
  if (encoded === undefined) throw refused(name, "must be well-formed Unicode");
  return encoded;
}

/** An error for the model about one parameter. */
export function refused(name: string, expectation: string): YagateError {
  return new YagateError("INVALID_ARGUMENTS", `the arguments make no request: ${name} ${expectation}`);
}
