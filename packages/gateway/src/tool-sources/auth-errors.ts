import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import type { FieldError, McpSourceSettings } from "@yagate/protocol";
import type { SecretUse } from "@yagate/secrets/workspace-secrets";

/** The lookups that the checks of `auth` need. */
export interface AuthLookups {
  readonly findSecret: (name: string) => Promise<SecretUse | undefined>;
  /** Returns why requests to a URL are blocked; undefined if they are allowed. */
  readonly urlProblem: (url: string) => Promise<string | undefined>;
}

/** Checks that the credential with which a source is read exists and may be sent to its host. */
export async function authErrors(
  { url, auth }: Pick<McpSourceSettings, "url" | "auth">,
  { findSecret, urlProblem }: AuthLookups,
): Promise<readonly FieldError[]> {
  if (auth === null) return [];
  if ("credential" in auth) {
    return secretErrors("auth.credential", auth.credential, hostNameOf(new URL(url)), findSecret);
  }
  const { issuer, clientSecret } = auth.oauth;
  const problem = await urlProblem(issuer);
  return [
    ...(problem === undefined ? [] : [{ path: "auth.oauth.issuer", code: "URL_NOT_ALLOWED", message: problem }]),
    // The host of the token endpoint is only known once the issuer was asked.
    ...(clientSecret === undefined
      ? []
      : await secretErrors("auth.oauth.clientSecret", clientSecret, undefined, findSecret)),
  ];
}

/**
 * Checks that a secret exists and may be sent to a host.
 * @param host - the host to which the secret is sent; undefined if it is not known yet.
 */
export async function secretErrors(
  path: string,
  name: string,
  host: string | undefined,
  findSecret: AuthLookups["findSecret"],
): Promise<readonly FieldError[]> {
  const error = (code: string, message: string) => [{ path, code, message }];
  const secret = await findSecret(name);
  if (secret === undefined) {
    return error("UNKNOWN_CREDENTIAL", `expected a secret of the workspace; ${name} does not exist`);
  }
  if (host === undefined || hostIsBound(host, secret.hosts)) return [];
  const have = secret.hosts.length === 0 ? "are not set" : "do not include it";
  return error("CREDENTIAL_HOST", `expected a secret that may be sent to ${host}: the hosts of ${name} ${have}`);
}
