import { toFieldErrors } from "@yagate/protocol";
import type * as z from "zod";
import { incompatibleResponse } from "../errors/incompatible-response.ts";

/**
 * Parses the body of a response.
 *
 * @param what - what messages call the request, such as `GET /v1/agents`.
 * @throws YagateError `INVALID_RESPONSE` with the paths of invalid values, but not the values.
 */
export function parseResponse<T>(text: string, schema: z.ZodType<T>, what: string): T {
  return parseValue(parseJson(text, what), schema, what);
}

/** Checks a value that has already been parsed. */
export function parseValue<T>(value: unknown, schema: z.ZodType<T>, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const paths = new Set(toFieldErrors(parsed.error).flatMap(({ path }) => (path === "" ? [] : [path])));
  const fault = paths.size === 0 ? "an unexpected type" : `unexpected or missing values at ${[...paths].join(", ")}`;
  throw incompatibleResponse(`the response to ${what} has ${fault}`);
}

/** Parses JSON from the gateway. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw incompatibleResponse(`the response to ${what} is not JSON`);
  }
}
