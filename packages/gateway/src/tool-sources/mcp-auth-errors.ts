import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import type { FieldError, McpSourceSettings } from "@yagate/protocol";
import type { SecretUse } from "../secrets/workspace-secrets.ts";

/** Checks that the credential of an MCP source exists and may be sent to the server's host. */
export async function mcpAuthErrors(
  { url, auth }: Pick<McpSourceSettings, "url" | "auth">,
  findSecret: (name: string) => Promise<SecretUse | undefined>,
): Promise<readonly FieldError[]> {
  if (auth === null) return [];
  const { credential } = auth;
  const error = (code: string, message: string) => [{ path: "auth.credential", code, message }];
  const secret = await findSecret(credential);
  if (secret === undefined) {
    return error("UNKNOWN_CREDENTIAL", `expected a secret of the workspace; ${credential} does not exist`);
  }
  const host = hostNameOf(new URL(url));
  if (hostIsBound(host, secret.hosts)) return [];
  const have = secret.hosts.length === 0 ? "are not set" : "do not include it";
  const message = `expected a secret that may be sent to ${host}: the hosts of ${credential} ${have}`;
  return error("CREDENTIAL_HOST", message);
}
