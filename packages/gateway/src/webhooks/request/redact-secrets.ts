import { REDACTED } from "../../calls/exchange-record.ts";

/** Enough of a secret to tell that it may be there; secrets of a kind have it in common. */
const PREFIX_LENGTH = 6;

/**
 * Takes secrets out of what a handler echoes, its signing secrets and the token of its callback: neither a model nor the
 * log may contain them.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const isPossible = secrets.some((secret) => text.includes(secret.slice(0, PREFIX_LENGTH))) || text.includes("\\u00");
  if (!isPossible) return text;
  return secrets.reduce((redacted, secret) => redacted.replaceAll(patternOf(secret), REDACTED), text);
}

/** A secret as any JSON writer may write it: each character as it is, in hexadecimal, or escaped as slashes may be. */
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
