import { type JsonValue, YagateError } from "@yagate/protocol";
import { encodeForUrl } from "./path-segment.ts";

/**
 * Converts a string, number or boolean to text.
 *
 * @param name - the parameter's name, for the message.
 * @throws YagateError `INVALID_ARGUMENTS` for null, a list or an object.
 */
export function wireText(value: JsonValue, name: string): string {
  if (typeof value === "object") throw refused(name, "must be a string, number or boolean");
  return String(value);
}

/**
 * Converts a string, number or boolean to text that is percent-encoded for any part of a URL or form.
 * @throws YagateError `INVALID_ARGUMENTS`.
 */
export function encodedText(value: JsonValue, name: string): string {
  const encoded = encodeForUrl(wireText(value, name));
  if (encoded === undefined) throw refused(name, "must be well-formed Unicode");
  return encoded;
}

/** Creates an error about one parameter, for the model. */
export function refused(name: string, expectation: string): YagateError {
  return new YagateError(
    "INVALID_ARGUMENTS",
    `no valid request can be built from the arguments: ${name} ${expectation}`,
  );
}
