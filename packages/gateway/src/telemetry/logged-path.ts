import { redactText } from "./redact-text.ts";

/** An id of the gateway, or the file of a key set. */
const ID = /^[a-z]+_[0-9a-z]{26}(?:\.json)?$/;
/** Letters and digits without a word among them. */
const OPAQUE = /^(?=.*[A-Za-z])(?=.*[0-9])[A-Za-z0-9+=_.~:%-]{32,}$/;

/**
 * The path of a request for the log, without what looks like a secret: somebody may have put a token in the place of an
 * id, and of a long one of unknown origin nobody can say what it opens.
 */
export function loggedPath(path: string): string {
  return redactText(path)
    .split("/")
    .map((part) => (OPAQUE.test(part) && !ID.test(part) ? "[redacted]" : part))
    .join("/");
}
