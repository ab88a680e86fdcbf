import { parseSite } from "@yagate/lib/hosts/site-filter";
import * as z from "zod";

/** An entry of `allowedDomains` and `blockedDomains`, in the form of URLs. */
export const siteSchema = z
  .stringFormat(
    "domain",
    (text) => parseSite(text) !== undefined,
    "expected a domain such as example.com, without scheme, path or asterisk",
  )
  .overwrite((text) => parseSite(text) ?? text);
