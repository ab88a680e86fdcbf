import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { YagateError } from "@yagate/protocol";

const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns the `Host` header of a request. A request with several hosts is rejected, because Node uses the first one,
 * while a proxy in front of the gateway may have used another.
 *
 * @throws YagateError `MALFORMED_HEADERS` for more than one host, in one line or in several (RFC 9112, section 3.2).
 */
export function hostOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (count <= 1 && !/[,\s]/.test(headers.host ?? "")) return headers.host;
  throw new YagateError("MALFORMED_HEADERS", "expected one Host header with one host");
}

/**
 * Creates the check that rejects a `Host` that is not this gateway's. Without it, a web page could make its own name
 * resolve to a loopback address (DNS rebinding) and reach a gateway that listens only there.
 *
 * @param listenHost - the host on which the gateway listens. Only loopback addresses are protected; on other hosts, any
 *   name is accepted.
 */
export function createHostCheck(listenHost: string, publicUrl: string | undefined): (host: string | undefined) => void {
  if (!isLoopback(listenHost)) return () => {};
  const accepted = new Set(LOCAL_NAMES).add(new URL(`http://${inUrl(listenHost)}`).hostname);
  if (publicUrl !== undefined) accepted.add(new URL(publicUrl).hostname);
  return (host) => {
    if (accepted.has(host?.replace(/:\d*$/, "").toLowerCase() ?? "")) return;
    throw new YagateError("FORBIDDEN", "expected a Host header with a host name of this gateway", {
      hint: "use the host name localhost, or set YAGATE_PUBLIC_URL to the gateway's public URL",
    });
  };
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Checks whether a gateway that listens on this host is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  return loopback.check(host, family === 4 ? "ipv4" : "ipv6");
}
