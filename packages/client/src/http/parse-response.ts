import { toFieldErrors } from "@yagate/protocol";
import type * as z from "zod";
import { incompatibleResponse } from "../errors/incompatible-response.ts";

/**
 * Parses the body of a response.
 *
 * @param what - names the response in messages, such as `GET /v1/agents`.
 * @throws YagateError `INVALID_RESPONSE` with the invalid paths but without values.
 */
export function parseResponse<T>(text: string, schema: z.ZodType<T>, what: string): T {
  return parseValue(parseJson(text, what), schema, what);
}

/** Checks a value that is already parsed. */
export function parseValue<T>(value: unknown, schema: z.ZodType<T>, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const paths = toFieldErrors(parsed.error).map((error) => (error.path === "" ? "the whole" : error.path));
  throw incompatibleResponse(`the response to ${what} has an unexpected form: ${[...new Set(paths)].join(", ")}`);
}

/** Parses JSON from the gateway. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw incompatibleResponse(`the response to ${what} is not JSON`);
  }
}
