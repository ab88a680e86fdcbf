import { EgressError } from "./egress-error.ts";

/**
 * Creates the error for a URL that is blocked because of its text. The message may be precise, because it reveals
 * nothing that the author of the URL does not know.
 *
 * @param reason - a more precise reason for the audit log. Default: the message.
 */
export function urlBlocked(message: string, reason = message): EgressError {
  return new EgressError("URL_BLOCKED", message, { reason });
}

/**
 * Creates the error for a blocked name. The message does not reveal whether the name does not exist, has a private
 * address, or is blocked.
 */
export function dnsBlocked(reason: string, details: { isTemporary?: boolean; cause?: unknown } = {}): EgressError {
  return new EgressError("DNS_BLOCKED", "the host could not be found or is not allowed", { ...details, reason });
}

/** Returns the message for a reader who did not write the URL, such as a model that calls a handler. */
export function withoutUrl({ code, message }: Pick<EgressError, "code" | "message">): string {
  return code === "URL_BLOCKED" ? "calls to the tool's URL are not allowed" : message;
}
