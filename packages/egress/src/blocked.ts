import { EgressError } from "./egress-error.ts";

/**
 * Creates the error for a URL that is blocked because of its text. The message may be precise, because it reveals
 * nothing to the author of the URL.
 *
 * @param reason - a more precise reason for the audit log. Default: the message.
 */
export function urlBlocked(message: string, reason = message): EgressError {
  return new EgressError("URL_BLOCKED", message, { reason });
}

/**
 * Creates the error for a blocked name. Its message is the same for a name that does not exist, a private name and a
 * blocked one.
 */
export function dnsBlocked(reason: string, details: { isTemporary?: boolean; cause?: unknown } = {}): EgressError {
  return new EgressError("DNS_BLOCKED", "the host could not be found or is not allowed", { ...details, reason });
}

/** Returns the message for a reader who did not write the URL, such as a model that calls a handler. */
export function withoutUrl({ code, message }: Pick<EgressError, "code" | "message">): string {
  return code === "URL_BLOCKED" ? "calls to the tool's URL are not allowed" : message;
}
