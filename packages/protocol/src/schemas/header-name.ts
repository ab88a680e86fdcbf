import * as z from "zod";

/**
 * Headers that frame a message, name its peer or describe the encoding of the response. No request of a tool may set
 * them.
 */
const FRAMING_HEADER =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|accept-encoding|proxy-.*)$/i;

/** A header that a request may set. */
export const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "expected the name of a header")
  .refine((name) => !FRAMING_HEADER.test(name), {
    error: "expected the name of a header that a request may set",
    abort: true,
  });
