/** What stands where something secret was. */
export const REDACTED = "[redacted]";

const PREFIX = "whsec_";

/** Takes signing secrets out of what a handler echoes: neither a model nor the journal may get to see them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  if (!text.includes(PREFIX) && !text.includes("\\u00")) return text;
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
