const PREFIX = "oidc:";

/** Returns how records name the subject of an access token: `oidc:<issuer>:<sub>`. */
export function tokenSubjectOf(issuer: string, sub: string): string {
  return `${PREFIX}${issuer}:${sub}`;
}

/** Whether the `keyId` of a record is the subject of an access token. The ids of API keys never start like this. */
export function isTokenSubject(keyId: string): boolean {
  return keyId.startsWith(PREFIX);
}
