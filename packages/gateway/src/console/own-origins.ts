import type { IncomingHttpHeaders } from "node:http";

/** An origin from which browsers load the console, with the cookie of its sessions. */
export interface OwnOrigin {
  /** As browsers write it in `Origin`. */
  readonly origin: string;
  readonly cookieName: string;
  readonly isSecure: boolean;
}

/**
 * Returns the origins from which the sender of a request may have loaded the console; the browser's headers decide
 * between them.
 */
export type OwnOrigins = (headers: IncomingHttpHeaders) => readonly OwnOrigin[];

/**
 * Creates the function that determines the gateway's own origins: the one of its public URL and, on a gateway that
 * listens only on this machine, the one in the `Host` header.
 *
 * @param isLocal - whether the gateway listens on a loopback address, so that its `Host` header was checked.
 */
export function createOwnOrigins(isLocal: boolean, publicUrl: string | undefined): OwnOrigins {
  const published = publicUrl === undefined ? [] : [toOwnOrigin(new URL(publicUrl))];
  return ({ host }) => {
    if (!isLocal || host === undefined || !URL.canParse(`http://${host}`)) return published;
    const local = toOwnOrigin(new URL(`http://${host}`));
    return published.some(({ origin }) => origin === local.origin) ? published : [...published, local];
  };
}

function toOwnOrigin({ origin, protocol, port }: URL): OwnOrigin {
  // Browsers send such a cookie only to the host that set it, and only on https. Sibling hosts cannot set it.
  if (protocol === "https:") return { origin, cookieName: "__Host-yagate", isSecure: true };
  // Cookies ignore ports, so gateways on the same machine need different names.
  return { origin, cookieName: `yagate_${port === "" ? "80" : port}`, isSecure: false };
}

/** Returns the value of a cookie; undefined if it is absent or ambiguous. */
export function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const values = (cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  // Another server on the same host can add a second cookie for a longer path, to make the gateway read that one.
  return values.length === 1 ? values[0] : undefined;
}

/** Returns the `Set-Cookie` header that starts a session or, with an empty token, ends it. */
export function setCookieOf({ cookieName, isSecure }: OwnOrigin, token: string, maxAgeSeconds: number): string {
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "HttpOnly", "SameSite=Strict"];
  if (isSecure) attributes.push("Secure");
  return [`${cookieName}=${token}`, ...attributes].join("; ");
}
