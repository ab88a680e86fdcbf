import { EgressError } from "./egress-error.ts";

/**
 * A URL that is blocked by its text. The message may be precise, because the author of the URL learns nothing new.
 *
 * @param reason - for the audit log, if more is known than the message may say.
 */
export function urlBlocked(message: string, reason = message): EgressError {
  return new EgressError("URL_BLOCKED", message, { reason });
}

/** The same message for a name that does not exist, a private one and a blocked one. */
export function dnsBlocked(reason: string, details: { isTemporary?: boolean; cause?: unknown } = {}): EgressError {
  return new EgressError("DNS_BLOCKED", "the host could not be found or is not allowed", { ...details, reason });
}

/** The message for a reader who did not write the URL, such as a model that calls a handler. */
export function withoutUrl({ code, message }: Pick<EgressError, "code" | "message">): string {
  return code === "URL_BLOCKED" ? "calls to the tool's URL are not allowed" : message;
}
