import { isIP } from "node:net";
import { YagateError } from "@yagate/protocol";

const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses a Host that this gateway is not reached by: a page that a browser has open could otherwise point a name of
 * its own at a loopback address and talk to a gateway that only listens there.
 *
 * @param listenHost - the address that is listened on; only loopback ones are protected, others may have any name.
 */
export function createHostCheck(listenHost: string, publicUrl: string | undefined): (host: string | undefined) => void {
  if (!isLoopback(listenHost)) return () => {};
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  return (host) => {
    const name = host?.replace(/:\d+$/, "").toLowerCase() ?? "";
    if (LOCAL_NAMES.has(name) || name === publicHost || name === listenHost) return;
    throw new YagateError("FORBIDDEN", "expected a Host header that names this gateway", {
      hint: "call it as localhost, or set YAGATE_PUBLIC_URL to the address that it is reached by",
    });
  };
}

function isLoopback(host: string): boolean {
  if (host === "localhost" || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
