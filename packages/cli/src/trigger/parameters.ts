import { type JsonObject, type JsonValue, YagateError } from "@yagate/protocol";
import { readJsonArgument } from "../read-text.ts";

const EXAMPLE = '{"orderId":"ORD-12345"}';

/**
 * Reads the arguments of a call from `--body` and `--param name=value`. A value that is valid JSON is sent as JSON:
 * `count=3` is a number, `count="3"` a string. Other values are strings.
 *
 * @throws YagateError `INVALID_REQUEST` if an option has another form.
 */
export async function parametersOf({
  body,
  param = [],
}: {
  readonly body?: string;
  readonly param?: readonly string[];
}): Promise<JsonObject> {
  const given = body === undefined ? {} : await readJsonArgument(body, "--body", EXAMPLE);
  return { ...given, ...Object.fromEntries(param.map(entryOf)) };
}

function entryOf(text: string): readonly [string, JsonValue] {
  const at = text.indexOf("=");
  if (at < 1) {
    throw new YagateError("INVALID_REQUEST", `expected --param name=value, but got ${text}`, {
      hint: "--param orderId=ORD-12345 --param count=3",
    });
  }
  return [text.slice(0, at), jsonOrText(text.slice(at + 1))];
}

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
