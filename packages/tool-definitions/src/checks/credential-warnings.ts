import { type SecretAuth, toWarning, type Warning } from "@yagate/protocol";
import type { SecretMetadata } from "./secret-lookups.ts";

/** The authentication scheme that the service of a template requires; null if it requires none. */
export interface ExpectedCredential {
  readonly service: string;
  readonly auth: SecretAuth | null;
}

/**
 * Warns about a toolkit credential with which calls to the toolkit's tools would fail.
 *
 * @param secret - undefined if the workspace has no secret with this name.
 * @param expected - the requirement of the template from which the tools come; absent for a toolkit without a template.
 */
export function credentialWarnings(
  name: string,
  secret: SecretMetadata | undefined,
  expected?: ExpectedCredential,
): readonly Warning[] {
  const path = "credential";
  if (expected?.auth === null) {
    const message = `${expected.service} needs no secret, but ${name} would be sent: remove credential`;
    return [toWarning("CREDENTIAL_AUTH_MISMATCH", path, message)];
  }
  if (secret === undefined) {
    const message = `the workspace has no secret ${name}: its tools can't be tested or called until you set it with \`yagate secret set ${name}\``;
    return [toWarning("UNKNOWN_CREDENTIAL", path, message)];
  }
  const warnings: Warning[] = [];
  const { auth, hosts } = secret;
  if (auth === null) {
    const message = `${name} has no authentication scheme: set its auth${expected ? ` to ${authText(expected.auth)}` : ""}`;
    warnings.push(toWarning("CREDENTIAL_WITHOUT_AUTH", path, message));
  } else if (expected !== undefined && !isSameAuth(auth, expected.auth)) {
    const message =
      `${expected.service} expects ${authText(expected.auth)}, but ${name} is sent as ${authText(auth)}, so the ` +
      `service will probably reject every call: set the auth of ${name}, or choose another secret`;
    warnings.push(toWarning("CREDENTIAL_AUTH_MISMATCH", path, message));
  }
  if (hosts.length === 0) {
    const message = `${name} has no hosts: no request can use it until you set its hosts`;
    warnings.push(toWarning("CREDENTIAL_WITHOUT_HOSTS", path, message));
  }
  return warnings;
}

function isSameAuth(one: SecretAuth, other: SecretAuth): boolean {
  const [text, otherText] = [authText(one), authText(other)];
  if (text === otherText) return true;
  // The value of a header can include the scheme, as in "Bearer …".
  const schemes = new Set([one.type, other.type]);
  return [text, otherText].includes("header authorization") && (schemes.has("bearer") || schemes.has("basic"));
}

/** Describes an authentication scheme in words. Equal schemes have equal descriptions. */
function authText(auth: SecretAuth): string {
  if (auth.type === "header") return `header ${auth.name.toLowerCase()}`;
  return auth.type === "query_param" ? `query_param ${auth.name}` : auth.type;
}
