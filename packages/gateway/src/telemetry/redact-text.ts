import { CALLBACK_TOKEN_PREFIX, EXECUTION_TOKEN_PREFIX } from "@yagate/protocol";

const REDACTED = "[redacted]";

/** What the gateway's own secrets begin with. Also where one follows another word, as in `key_yk_…`. */
const OWN = ["whsec_", "yk_", EXECUTION_TOKEN_PREFIX, CALLBACK_TOKEN_PREFIX].join("|");

/**
 * How secrets are written: those of the gateway, those of providers, and whatever stands where a secret would. The value
 * of a field may have been cut off, so that it has no end.
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
 * A JSON Web Token; its signature may have been cut off. What only begins like one matches too, and stays: a pattern that
 * fails at its end would read the same text again from each place where a token could begin.
 */
const WEB_TOKEN = /eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*|$))?/g;

/**
 * Takes out what looks like a secret, in a time that grows as the text does. It knows the shapes of common ones and the
 * names that fields with secrets have, no more: what must not be seen must not be passed in.
 */
export function redactText(text: string): string {
  const redacted = SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
  return redacted.replace(WEB_TOKEN, (run: string, claims: string | undefined) =>
    claims === undefined ? run : REDACTED,
  );
}
