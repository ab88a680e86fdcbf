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
  return new EgressError("DNS_BLOCKED", "the destination must be a host with public addresses", { ...details, reason });
}
