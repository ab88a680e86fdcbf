import { strictFamily } from "@yagate/lib/hosts/address-family";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { isHostName } from "@yagate/protocol";
import { urlBlocked } from "./blocked.ts";

/** The parts of a destination that the policy checks, both for URLs and for connections. */
export interface Authority {
  readonly protocol: string;
  /** The host in lower case, without brackets or a trailing dot. */
  readonly hostname: string;
  readonly port: number;
}

/** A parsed URL in normalised form. Exactly this form is checked and requested. */
export interface Destination extends Authority {
  readonly protocol: "http:" | "https:";
  /** The normalised origin of the request: `https://host[:port]`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/**
 * Parses a URL whose host could be valid under some policy. The policy itself is checked separately.
 *
 * @param maxLength - maximum length of the URL in characters.
 * @throws EgressError `URL_BLOCKED`.
 */
export function parseDestination(text: string, maxLength: number): Destination {
  const url = text.length > maxLength ? null : URL.parse(text);
  if (url === null) {
    throw urlBlocked(`the url must be an absolute https url of at most ${maxLength} characters`);
  }
  const { protocol } = url;
  if (!isWebProtocol(protocol)) {
    throw urlBlocked("the url must be https");
  }
  if (url.username !== "" || url.password !== "") {
    throw urlBlocked("the url must not contain a user name or password");
  }
  const hostname = hostNameOf(url);
  requireHost(hostname);
  const host = strictFamily(hostname) === 6 ? `[${hostname}]` : hostname;
  const origin = `${protocol}//${host}${url.port === "" ? "" : `:${url.port}`}`;
  return { protocol, hostname, port: toPort(protocol, url.port), origin, path: url.pathname + url.search };
}

/**
 * Checks that a host is a name or an address. URL parsers also accept other hosts.
 *
 * @throws EgressError `URL_BLOCKED`.
 */
export function requireHost(hostname: string): void {
  if (strictFamily(hostname) === 0 && !isHostName(hostname)) {
    throw urlBlocked("the host must be a name of letters, digits, hyphens, underscores and dots, or an address");
  }
}

/**
 * Converts the port of a URL to a number.
 *
 * @param port - as in a parsed URL: empty for the default port of the protocol.
 */
export function toPort(protocol: string, port: string): number {
  const ownPort = protocol === "https:" ? 443 : 80;
  return port === "" ? ownPort : Number(port);
}

/** Checks whether a URL's scheme is http or https. */
export function isWebProtocol(protocol: string): protocol is "http:" | "https:" {
  return protocol === "https:" || protocol === "http:";
}
