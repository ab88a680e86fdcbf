import * as z from "zod";
import { isOpenWildcard, MAX_HOST_LENGTH, parseHostPattern } from "../host.ts";

/**
 * A host that requests may reach: an exact name, an IP address, or `*.example.com` for every name under `example.com`
 * but not `example.com` itself. The parsed value is in URL form: lower case, non-ASCII names as `xn--…`, without a
 * trailing dot or brackets.
 */
export const allowedDomainSchema = z
  .string()
  .max(MAX_HOST_LENGTH + 2, { abort: true })
  .overwrite((text) => parseHostPattern(text) ?? text)
  .refine((text) => parseHostPattern(text) !== undefined, {
    error: "expected a host such as api.example.com or *.example.com, without a scheme, port or path",
    abort: true,
  })
  .refine(
    (text) => !isOpenWildcard(text),
    "expected at least two labels after *., as in *.example.com: anyone can register names under a single label",
  );
