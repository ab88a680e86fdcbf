import { redactText } from "./redact-text.ts";

/** An id of the gateway, or the file name of a key set. */
const ID = /^[a-z]+_[0-9a-z]{26}(?:\.json)?$/;
/** A long run of letters and digits, such as a token. */
const OPAQUE = /^(?=.*[A-Za-z])(?=.*[0-9])[A-Za-z0-9+=_.~:%-]{32,}$/;

/**
 * The path of a request for the log, with everything that looks like a secret redacted: a client may have sent a token in
 * place of an id.
 */
export function loggedPath(path: string): string {
  return redactText(path)
    .split("/")
    .map((part) => (OPAQUE.test(part) && !ID.test(part) ? "[redacted]" : part))
    .join("/");
}
