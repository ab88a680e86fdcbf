import { EgressError } from "./egress-error.ts";

/**
 * A URL whose text already decides. The message may be precise: whoever wrote the URL learns nothing new.
 *
 * @param reason - for the audit log, when more is known than the message may say.
 */
export function urlBlocked(message: string, reason = message): EgressError {
  return new EgressError("URL_BLOCKED", message, { reason });
}

/** One message for a name that does not exist, one that is private and one that was refused. */
export function dnsBlocked(reason: string, details: { isTemporary?: boolean; cause?: unknown } = {}): EgressError {
  return new EgressError("DNS_BLOCKED", "the host could not be found or is not allowed", { ...details, reason });
}

/** What is said of a refusal to whoever did not write the URL, such as a model that calls a handler. */
export function withoutUrl({ code, message }: Pick<EgressError, "code" | "message">): string {
  return code === "URL_BLOCKED" ? "calls to the tool's URL are not allowed" : message;
}
