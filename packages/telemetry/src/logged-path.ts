import { redactText } from "@yagate/lib/redaction/redact-text";

/** Matches an id of the gateway, or the file name of a key set. */
const ID = /^[a-z]+_[0-9a-z]{26}(?:\.json)?$/;
/** Matches a long run of letters and digits, such as a token. */
const OPAQUE = /^(?=.*[A-Za-z])(?=.*[0-9])[A-Za-z0-9+=_.~:%-]{32,}$/;

/**
 * Returns the path of a request for the log. Everything that looks like a secret is redacted, because a client may have
 * sent a token instead of an id.
 */
export function loggedPath(path: string): string {
  return redactText(path)
    .split("/")
    .map((part) => (OPAQUE.test(part) && !ID.test(part) ? "[redacted]" : part))
    .join("/");
}
