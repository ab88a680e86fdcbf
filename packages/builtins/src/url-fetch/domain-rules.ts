import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { isWithinSite } from "@yagate/lib/hosts/site-filter";
import { PageError } from "../web/port.ts";

/** Maximum number of domains that an error message lists. */
const MAX_NAMED = 20;

/** The sites whose pages may be fetched. */
export interface DomainRules {
  readonly allowedDomains?: readonly string[] | undefined;
  readonly blockedDomains: readonly string[];
}

/** Creates a function that returns an error for a URL that must not be fetched, and `undefined` for any other URL. */
export function refusalByDomain({
  allowedDomains: allowed,
  blockedDomains,
}: DomainRules): (url: URL) => PageError | undefined {
  return (url) => {
    const host = hostNameOf(url);
    if (allowed !== undefined && !allowed.some((domain) => isWithinSite(host, domain))) {
      const more = allowed.length > MAX_NAMED ? ` and ${allowed.length - MAX_NAMED} more` : "";
      return new PageError(
        "URL_BLOCKED",
        `host ${host} is not allowed; allowed: ${allowed.slice(0, MAX_NAMED).join(", ")}${more}`,
        { hint: "fetch only pages on the allowed domains" },
      );
    }
    if (!blockedDomains.some((domain) => isWithinSite(host, domain))) return undefined;
    return new PageError("URL_BLOCKED", `host ${host} is blocked for this agent`, { hint: "use another source" });
  };
}
