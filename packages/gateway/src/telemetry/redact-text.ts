const REDACTED = "[redacted]";

/** How secrets are written: those of the gateway, those of providers, and whatever stands where a secret would. */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(?:whsec_|yk_|yt_)[A-Za-z0-9+/=_.-]{8,}/g, REDACTED],
  [/\b(?:sk|pk|rk|xai|gsk)[-_][A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, REDACTED],
  [/\bgh[a-z]_[A-Za-z0-9]{20,}/g, REDACTED],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=_.~-]{8,}/gi, `$1 ${REDACTED}`],
  [
    /("[^"]{0,64}(?:password|passwd|secret|token|api[_-]?key|authorization|credential)[^"]{0,64}"\s*:\s*)"(?:[^"\\]|\\.)*"/gi,
    `$1"${REDACTED}"`,
  ],
];

/**
 * Takes out what looks like a secret. It knows the shapes of common ones and the names that fields with secrets have, no
 * more: what must not be seen must not be passed in.
 */
export function redactText(text: string): string {
  return SECRETS.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}
