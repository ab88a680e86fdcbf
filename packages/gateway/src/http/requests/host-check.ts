import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { YagateError } from "@yagate/protocol";
import { isLoopback } from "./is-loopback.ts";

const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The Host of a request. Node keeps the first of several, while a proxy in front may have used another one.
 *
 * @throws YagateError `MALFORMED_HEADERS` for more than one, in one line or in several (RFC 9112, section 3.2).
 */
export function hostOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (count <= 1 && !/[,\s]/.test(headers.host ?? "")) return headers.host;
  throw new YagateError("MALFORMED_HEADERS", "expected one Host header with one host");
}

/**
 * Refuses a Host that does not name this gateway. Otherwise a web page could resolve its own name to a loopback address
 * (DNS rebinding) and reach a gateway that only listens there.
 *
 * @param listenHost - the host to listen on. Only loopback addresses are protected; others may have any name.
 */
export function createHostCheck(listenHost: string, publicUrl: string | undefined): (host: string | undefined) => void {
  if (!isLoopback(listenHost)) return () => {};
  const accepted = new Set(LOCAL_NAMES).add(new URL(`http://${inUrl(listenHost)}`).hostname);
  if (publicUrl !== undefined) accepted.add(new URL(publicUrl).hostname);
  return (host) => {
    if (accepted.has(host?.replace(/:\d*$/, "").toLowerCase() ?? "")) return;
    throw new YagateError("FORBIDDEN", "expected a Host header that names this gateway", {
      hint: "call it as localhost, or set YAGATE_PUBLIC_URL to its public address",
    });
  };
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
