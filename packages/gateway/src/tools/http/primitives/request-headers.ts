import { isForbiddenHeader } from "@yagate/egress/internal";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { type JsonValue, YagateError } from "@yagate/protocol";

const MAX_HEADERS = 50;
const MAX_CHARACTERS = 8_192;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Returns the headers of a request that a model composed, with names in lower case.
 *
 * @throws YagateError `INVALID_ARGUMENTS` with a message for the model, which never contains the value of a header.
 */
export function requestHeaders(headers: JsonValue | undefined): Record<string, string> {
  if (headers === undefined || !isJsonObject(headers)) return {};
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) throw invalid(`expected at most ${MAX_HEADERS} headers`);
  const checked: Record<string, string> = {};
  for (const [given, value] of entries) {
    const name = given.toLowerCase();
    if (!NAME.test(given)) throw invalid("expected the names of headers to be letters, digits and !#$%&'*+-.^_`|~");
    if (isForbiddenHeader(name) || name === "accept-encoding") {
      throw invalid(`expected no header ${name}: the gateway sets it itself; leave it out`);
    }
    if (Object.hasOwn(checked, name)) throw invalid(`expected the header ${name} once`);
    if (typeof value !== "string" || !VALUE.test(value) || value.length > MAX_CHARACTERS) {
      throw invalid(`expected the header ${name} to have at most ${MAX_CHARACTERS} characters of printable ASCII`);
    }
    checked[name] = value.trim();
  }
  return checked;
}

function invalid(message: string): YagateError {
  return new YagateError("INVALID_ARGUMENTS", message);
}
