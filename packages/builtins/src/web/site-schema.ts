import { parseSite } from "@yagate/lib/hosts/site-filter";
import * as z from "zod";

/** An entry of `allowedDomains` or `blockedDomains`, in the form that URLs use. */
export const siteSchema = z
  .stringFormat(
    "domain",
    (text) => parseSite(text) !== undefined,
    "expected a domain such as example.com, without a scheme, path or asterisk",
  )
  .overwrite((text) => parseSite(text) ?? text);
