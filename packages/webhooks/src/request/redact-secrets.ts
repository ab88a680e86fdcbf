import { REDACTED } from "@yagate/calls/exchange-record";

/** Length of the prefix that shows that a secret may be present. Secrets of the same kind share this prefix. */
const PREFIX_LENGTH = 6;

/**
 * Removes secrets that a handler echoes, such as its signing secrets and the token of its callback. They must never
 * reach a model or a log.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const isPossible = secrets.some((secret) => text.includes(secret.slice(0, PREFIX_LENGTH))) || text.includes("\\u00");
  if (!isPossible) return text;
  return secrets.reduce((redacted, secret) => redacted.replaceAll(patternOf(secret), REDACTED), text);
}

/**
 * Matches a secret in every form in which a JSON writer may encode it: each character literally or as a hexadecimal
 * escape, and slashes also with a backslash.
 */
function patternOf(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const code = character.charCodeAt(0);
    const hex = code
      .toString(16)
      .padStart(4, "0")
      .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const literal = `\\x${code.toString(16).padStart(2, "0")}`;
    return `(?:${character === "/" ? `\\\\?${literal}` : literal}|\\\\u${hex})`;
  });
  return new RegExp(characters.join(""), "g");
}
