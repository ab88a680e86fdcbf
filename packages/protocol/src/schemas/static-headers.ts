import * as z from "zod";
import { headerNameSchema } from "./header-name.ts";

/** Maximum number of headers that a tool adds to its calls. */
const MAX_STATIC_HEADERS = 20;
const MAX_VALUE_LENGTH = 4_096;

/**
 * Headers of a signed call: its content, signatures, identity and trace. Includes variants with `_` for `-` and
 * overrides of the method, which some servers accept.
 */
const HEADER_OF_CALL =
  /^(?:content[-_].*|x[-_]ya[-_].*|webhook[-_].*|svix[-_].*|.*signature.*|(?:repr[-_])?digest|.*idempotency.*|traceparent|tracestate|baggage|b3|x[-_]b3[-_].*|x[-_](?:http[-_])?method(?:[-_]override)?)$/i;

const staticHeaderNameSchema = headerNameSchema.refine(
  (name) => !HEADER_OF_CALL.test(name),
  "expected a header that the gateway does not set: not the content, a signature, the idempotency key or the trace of a call",
);

/**
 * Headers that every call of a handler tool carries in addition to those of the signed call. No signature covers them.
 */
export const staticHeadersSchema = z
  .record(
    staticHeaderNameSchema,
    z
      .string()
      .max(MAX_VALUE_LENGTH)
      .regex(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/, "expected printable ASCII, without spaces at its ends"),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > MAX_STATIC_HEADERS) {
      context.addIssue({ code: "custom", message: `expected at most ${MAX_STATIC_HEADERS} headers` });
    }
    const seen = new Set<string>();
    for (const name of names) {
      const folded = name.toLowerCase();
      if (seen.has(folded)) context.addIssue({ code: "custom", path: [name], message: "expected each header once" });
      seen.add(folded);
    }
  });
