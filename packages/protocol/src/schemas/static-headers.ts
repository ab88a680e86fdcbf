import * as z from "zod";
import { headerNameSchema } from "./header-name.ts";

/** Maximum number of headers that a tool adds to its calls. */
const MAX_STATIC_HEADERS = 20;
const MAX_VALUE_LENGTH = 4_096;

/**
 * Headers that a signed call itself uses: for content, signatures, identity and trace. The pattern also matches
 * variants with `_` instead of `-`, and headers that override the HTTP method, because some servers accept them.
 */
const HEADER_OF_CALL =
  /^(?:content[-_].*|x[-_]ya[-_].*|webhook[-_].*|svix[-_].*|.*signature.*|(?:repr[-_])?digest|.*idempotency.*|traceparent|tracestate|baggage|b3|x[-_]b3[-_].*|x[-_](?:http[-_])?method(?:[-_]override)?)$/i;

const staticHeaderNameSchema = headerNameSchema.refine(
  (name) => !HEADER_OF_CALL.test(name),
  "expected a header that the gateway does not set: it sets those for content, signatures, idempotency key and trace",
);

/** Headers that are added to every call to a handler tool. No signature covers them. */
export const staticHeadersSchema = z
  .record(
    staticHeaderNameSchema,
    z
      .string()
      .max(MAX_VALUE_LENGTH)
      .regex(
        /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/,
        "expected printable ASCII, without leading or trailing spaces",
      ),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > MAX_STATIC_HEADERS) {
      context.addIssue({ code: "custom", message: `expected at most ${MAX_STATIC_HEADERS} headers` });
    }
    const seen = new Set<string>();
    for (const name of names) {
      const folded = name.toLowerCase();
      if (seen.has(folded))
        context.addIssue({ code: "custom", path: [name], message: "expected each header at most once" });
      seen.add(folded);
    }
  });
