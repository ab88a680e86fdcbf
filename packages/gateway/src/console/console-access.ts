import type { IncomingHttpHeaders } from "node:http";
import { YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ConsoleSessions } from "./console-sessions.ts";
import { cookieOf, type OwnOrigin, type OwnOrigins } from "./own-origins.ts";

/** Distinguishes the credential of a session from a bearer token, which contains no space. */
const CREDENTIAL_PREFIX = "session ";

/** A request of the console's own page, with the rights of its session. */
export interface Visit {
  readonly principal: Principal;
  /** Names the session among the credentials of the requests in flight. */
  readonly credential: string;
  readonly sessionId: string;
}

interface VisitingRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Decides which requests count as those of a signed-in browser. */
export interface ConsoleAccess {
  /**
   * Returns the rights of a request with a session's cookie; undefined if the cookie does not count. Browsers also send
   * it with requests of other ports and of other pages of the same site, so it counts only if the browser says that the
   * console itself sent the request (`Sec-Fetch-Site: same-origin`), and for methods other than GET only with the
   * console's `Origin`.
   */
  admit(request: VisitingRequest): Promise<Visit | undefined>;
  /** Returns the current rights of the session that a credential names. This does not count as use. */
  recheck(credential: string): Promise<Principal | undefined>;
  /**
   * Returns the own origin from which a page sent the request.
   * @throws YagateError `FORBIDDEN` for a request of another page, or of a program.
   */
  originOf(request: VisitingRequest): OwnOrigin;
  /** Returns the credential of a session in the list of requests in flight. */
  credentialOf(token: string): string;
  /** Returns the session's token in a request that `originOf` or `admit` accepts. */
  tokenOf(request: VisitingRequest): string | undefined;
}

export function createConsoleAccess(sessions: ConsoleSessions, ownOrigins: OwnOrigins): ConsoleAccess {
  function candidates({ method, headers }: VisitingRequest): readonly OwnOrigin[] {
    if (headers["sec-fetch-site"] !== "same-origin") return [];
    const origins = ownOrigins(headers);
    if (method === "GET" && headers.origin === undefined) return origins;
    return origins.filter(({ origin }) => origin === headers.origin);
  }

  function tokenOf(request: VisitingRequest): string | undefined {
    const tokens = candidates(request).map(({ cookieName }) => cookieOf(request.headers, cookieName));
    return tokens.find((token) => token !== undefined);
  }

  const credentialOf = (token: string) => `${CREDENTIAL_PREFIX}${token}`;

  return {
    tokenOf,
    credentialOf,
    async admit(request) {
      const token = tokenOf(request);
      if (token === undefined) return undefined;
      const principal = await sessions.principalOf(token, true);
      if (principal === undefined) return undefined;
      return { principal, credential: credentialOf(token), sessionId: sessions.idOf(token) };
    },
    recheck: (credential) => sessions.principalOf(credential.slice(CREDENTIAL_PREFIX.length), false),
    originOf(request) {
      const [own] = request.headers.origin === undefined ? [] : candidates(request);
      if (own !== undefined) return own;
      throw new YagateError("FORBIDDEN", "expected a request of the console's own page", {
        hint: "open the console at the gateway's URL, or at YAGATE_PUBLIC_URL if a proxy is in front of it",
      });
    },
  };
}

/** Whether a credential of a request in flight is a session's, and not a bearer token. */
export function isSessionCredential(credential = ""): boolean {
  return credential.startsWith(CREDENTIAL_PREFIX);
}
