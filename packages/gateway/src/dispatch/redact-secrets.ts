/** What stands where something secret was. */
export const REDACTED = "[redacted]";

const PREFIX = "whsec_";

/** Takes signing secrets out of what a handler echoes: neither a model nor the journal may get to see them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  if (!text.includes(PREFIX)) return text;
  return secrets.reduce((redacted, secret) => {
    // Some JSON writers escape slashes, which base64 has.
    return redacted.replaceAll(secret, REDACTED).replaceAll(secret.replaceAll("/", "\\/"), REDACTED);
  }, text);
}
