import { EgressError } from "@yagate/egress";
import { YagateError } from "@yagate/protocol";

/** Errors of issuers (RFC 6749, 7591, 8707) that an error message may contain. Other texts could contain anything. */
const KNOWN_CODES: ReadonlySet<string> = new Set([
  ...["invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type"],
  ...["invalid_scope", "invalid_target", "access_denied", "unsupported_response_type"],
  ...["invalid_redirect_uri", "invalid_client_metadata", "invalid_software_statement", "unapproved_software_statement"],
]);
/** Errors that may pass by themselves. */
const TEMPORARY_CODES: ReadonlySet<string> = new Set([
  ...["server_error", "temporarily_unavailable", "too_many_requests", "slow_down"],
]);

/**
 * A step of OAuth that failed: `SOURCE_UNAUTHORIZED` if a person has to change something, `SOURCE_UNREACHABLE` if a
 * later attempt may succeed. It has no text of a server.
 */
export class OAuthFailure extends YagateError {
  /** Whether the issuer no longer accepts the code or the refresh token. */
  readonly isGrantInvalid: boolean;

  constructor(
    code: "SOURCE_UNAUTHORIZED" | "SOURCE_UNREACHABLE",
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown; readonly isGrantInvalid?: boolean } = {},
  ) {
    const { isGrantInvalid = false, ...rest } = options;
    super(code, message, rest);
    this.isGrantInvalid = isGrantInvalid;
  }
}

/** Returns the failure of a step that a person has to resolve. */
export function refused(message: string, hint?: string): OAuthFailure {
  return new OAuthFailure("SOURCE_UNAUTHORIZED", message, hint === undefined ? {} : { hint });
}

/**
 * Runs a step, and converts its errors. The causes of errors are kept only if they come from the egress guard, because
 * those of the library quote responses.
 *
 * @param step - what the step does, such as `the token request`.
 */
export async function inStep<Result>(step: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw await toFailure(step, error);
  }
}

async function toFailure(step: string, error: unknown): Promise<OAuthFailure> {
  if (error instanceof OAuthFailure) return error;
  if (error instanceof EgressError) {
    return new OAuthFailure("SOURCE_UNREACHABLE", `${step} failed: ${error.message}`, { cause: error });
  }
  const sdk = await import("@modelcontextprotocol/client");
  if (error instanceof sdk.IssuerMismatchError) {
    return refused(
      `${step}: the response is not from the issuer of the source`,
      "check auth.oauth.issuer; if it is correct, another server tried to act as the issuer",
    );
  }
  if (error instanceof sdk.InsecureTokenEndpointError) {
    return refused(`${step}: expected a token endpoint with an https URL`);
  }
  if (error instanceof sdk.RegistrationRejectedError) {
    const isTemporary = error.status === 429 || error.status >= 500;
    const message = `${step}: the issuer responded with HTTP ${error.status}`;
    if (isTemporary) return new OAuthFailure("SOURCE_UNREACHABLE", message);
    return refused(message, "register a client with the issuer, and set auth.oauth.clientId");
  }
  if (error instanceof sdk.OAuthError) return toRejection(step, error.code);
  return new OAuthFailure("SOURCE_UNREACHABLE", `${step}: the response does not follow OAuth 2.1`);
}

/** Converts an error that an issuer names. */
export function toRejection(step: string, code: string): OAuthFailure {
  if (TEMPORARY_CODES.has(code)) return new OAuthFailure("SOURCE_UNREACHABLE", `${step}: the issuer reported ${code}`);
  const named = KNOWN_CODES.has(code) ? code : "an error";
  return new OAuthFailure("SOURCE_UNAUTHORIZED", `${step}: the issuer reported ${named}`, {
    hint: "sign in again; if that fails too, check the client and the scopes of the source at the issuer",
    isGrantInvalid: code === "invalid_grant",
  });
}
