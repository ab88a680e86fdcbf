import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";

/** The options that say how the gateway identifies itself to an MCP server. */
export interface AuthOptions {
  readonly credential?: string;
  readonly issuer?: string;
  readonly grant?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: readonly string[];
  readonly allowRegistration?: boolean;
}

/**
 * Returns the setting `auth` of an MCP server; undefined if no option sets it.
 *
 * @throws YagateError `INVALID_REQUEST` if options exclude each other, or need `--issuer`.
 */
export function readAuth(options: AuthOptions): object | undefined {
  const { credential, issuer, grant, clientId, clientSecret, scope: scopes, allowRegistration } = options;
  const rest = defined({ grant, clientId, clientSecret, scopes, allowRegistration });
  if (issuer !== undefined) {
    if (credential === undefined) return { oauth: { issuer, ...rest } };
    throw new YagateError("INVALID_REQUEST", "expected either --credential or --issuer");
  }
  if (Object.keys(rest).length > 0) {
    throw new YagateError("INVALID_REQUEST", "expected --issuer, because another option requires OAuth", {
      hint: "name the authorization server of the MCP server, such as --issuer https://login.example.com",
    });
  }
  return credential === undefined ? undefined : { credential };
}
