import { PageError } from "../web/port.ts";

/** Maximum number of domains in an error message. */
const MAX_NAMED = 20;

/** The sites whose pages may be fetched; a domain includes its subdomains. */
export interface DomainRules {
  readonly allowedDomains?: readonly string[] | undefined;
  readonly blockedDomains: readonly string[];
}

/** Says why a page of a host must not be fetched; undefined: it may be fetched. */
export function refusalByDomain({ allowedDomains, blockedDomains }: DomainRules): (url: URL) => PageError | undefined {
  const allowed = allowedDomains?.map(canonicalDomain);
  const blocked = blockedDomains.map(canonicalDomain);
  return ({ hostname }) => {
    const host = canonicalDomain(hostname);
    if (allowed !== undefined && !allowed.some((domain) => isWithin(host, domain))) {
      const more = allowed.length > MAX_NAMED ? ` and ${allowed.length - MAX_NAMED} more` : "";
      return new PageError(
        "URL_BLOCKED",
        `host ${host} is not approved; approved: ${allowed.slice(0, MAX_NAMED).join(", ")}${more}`,
        { hint: "fetch pages of the approved domains only" },
      );
    }
    if (!blocked.some((domain) => isWithin(host, domain))) return undefined;
    return new PageError("URL_BLOCKED", `host ${host} is blocked for this agent`, { hint: "use another source" });
  };
}

/** Normalised as in URL parsers, without a trailing dot. */
function canonicalDomain(domain: string): string {
  const host = URL.parse(`https://${domain}/`)?.hostname ?? domain.toLowerCase();
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
