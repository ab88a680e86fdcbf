import { type SecretAuth, toWarning, type Warning } from "@yagate/protocol";
import type { SecretMetadata } from "./secret-lookups.ts";

/** What a service's template asks for: how its secret goes along, or null for none. */
export interface ExpectedCredential {
  readonly service: string;
  readonly auth: SecretAuth | null;
}

/**
 * Warns of a toolkit's credential with which its tools could not call anything.
 *
 * @param secret - undefined where the workspace has none of that name.
 * @param expected - of the template that the tools come from; absent for a toolkit that its author fills.
 */
export function credentialWarnings(
  name: string,
  secret: SecretMetadata | undefined,
  expected?: ExpectedCredential,
): readonly Warning[] {
  const path = "credential";
  if (expected?.auth === null) {
    const message = `${expected.service} takes no secret, and ${name} would be sent along: leave credential out`;
    return [toWarning("CREDENTIAL_AUTH_MISMATCH", path, message)];
  }
  if (secret === undefined) {
    const message = `the workspace has no secret ${name}: its tools can't be tested or called until it is set with \`yagate secret set ${name}\``;
    return [toWarning("UNKNOWN_CREDENTIAL", path, message)];
  }
  const warnings: Warning[] = [];
  const { auth, hosts } = secret;
  if (auth === null) {
    const message = `${name} does not say how it goes along with a request: set its auth${expected ? ` to ${authText(expected.auth)}` : ""}`;
    warnings.push(toWarning("CREDENTIAL_WITHOUT_AUTH", path, message));
  } else if (expected !== undefined && !isSameAuth(auth, expected.auth)) {
    const message =
      `${expected.service} expects ${authText(expected.auth)}, and ${name} goes along as ${authText(auth)}, so the ` +
      `service is likely to refuse every call: set the auth of ${name}, or name another secret`;
    warnings.push(toWarning("CREDENTIAL_AUTH_MISMATCH", path, message));
  }
  if (hosts.length === 0) {
    const message = `${name} names no host, so no request can be sent with it until its hosts are set`;
    warnings.push(toWarning("CREDENTIAL_WITHOUT_HOSTS", path, message));
  }
  return warnings;
}

function isSameAuth(one: SecretAuth, other: SecretAuth): boolean {
  const [text, otherText] = [authText(one), authText(other)];
  if (text === otherText) return true;
  // Such a value can hold the scheme too, as in "Bearer …".
  const schemes = new Set([one.type, other.type]);
  return [text, otherText].includes("header authorization") && (schemes.has("bearer") || schemes.has("basic"));
}

/** How a secret goes along, in words. Two that go along in the same way have the same. */
function authText(auth: SecretAuth): string {
  if (auth.type === "header") return `header ${auth.name.toLowerCase()}`;
  return auth.type === "query_param" ? `query_param ${auth.name}` : auth.type;
}
