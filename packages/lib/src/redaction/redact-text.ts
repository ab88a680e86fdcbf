import { CALLBACK_TOKEN_PREFIX, EXECUTION_TOKEN_PREFIX } from "@yagate/protocol";

const REDACTED = "[redacted]";

/** Prefixes of the gateway's own secrets. They also match after another word, as in `key_yk_…`. */
const OWN = ["whsec_", "yk_", EXECUTION_TOKEN_PREFIX, CALLBACK_TOKEN_PREFIX].join("|");

/**
 * Patterns of secrets: those of the gateway, those of common providers, and values of fields whose names suggest a
 * secret. The value of a field may be cut off before its closing quote.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [new RegExp(`(?<![A-Za-z0-9])(?:${OWN})[A-Za-z0-9+/=_.-]{8,}`, "g"), REDACTED],
  [/\b(?:sk|pk|rk|xai|gsk)[-_][A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, REDACTED],
  [/\bgh[a-z]_[A-Za-z0-9]{20,}/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=_.~-]{8,}/gi, `$1 ${REDACTED}`],
  [
    /("[^"]{0,64}(?:password|passwd|secret|token|api[_-]?key|authorization|credential)[^"]{0,64}"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/gi,
    `$1"${REDACTED}"`,
  ],
];

/**
 * Matches a JSON Web Token, possibly without its signature. Text that only starts like a token matches too, but is not
 * redacted. A pattern that did not match it would scan the same text again from every possible start, in quadratic
 * time.
 */
const WEB_TOKEN = /eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*|$))?/g;

/**
 * Redacts text that looks like a secret, in linear time. It recognises only common formats and field names, so don't
 * pass values that must never appear in a log.
 */
export function redactText(text: string): string {
  const redacted = SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
  return redacted.replace(WEB_TOKEN, (run: string, claims: string | undefined) =>
    claims === undefined ? run : REDACTED,
  );
}
