import * as z from "zod";

/**
 * Headers that delimit a message, identify its host or state which encodings the response may have. No tool may set
 * them.
 */
const FRAMING_HEADER =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|accept-encoding|proxy-.*)$/i;

/** The name of a header that a tool may set. */
export const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "expected the name of a header")
  .refine((name) => !FRAMING_HEADER.test(name), {
    error: "expected the name of a header that a request may set",
    abort: true,
  });
