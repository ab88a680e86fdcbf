import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { isWithinSite } from "@yagate/lib/hosts/site-filter";
import { PageError } from "../web/port.ts";

/** Maximum number of domains in an error message. */
const MAX_NAMED = 20;

/** The sites whose pages may be fetched. */
export interface DomainRules {
  readonly allowedDomains?: readonly string[] | undefined;
  readonly blockedDomains: readonly string[];
}

/** Returns why a page of a host must not be fetched; undefined if it may be. */
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
        `host ${host} is not approved; approved: ${allowed.slice(0, MAX_NAMED).join(", ")}${more}`,
        { hint: "fetch pages of the approved domains only" },
      );
    }
    if (!blockedDomains.some((domain) => isWithinSite(host, domain))) return undefined;
    return new PageError("URL_BLOCKED", `host ${host} is blocked for this agent`, { hint: "use another source" });
  };
}
