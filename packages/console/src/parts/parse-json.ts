import { ApiError } from "../api/api-error.ts";

/**
 * Parses what a person wrote as JSON.
 * @param what - names the text, such as `The arguments`.
 * @throws ApiError `MALFORMED_JSON`.
 */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new ApiError({ code: "MALFORMED_JSON", message: `${what} must be valid JSON. ${reason}`, status: 0 }, error);
  }
}
