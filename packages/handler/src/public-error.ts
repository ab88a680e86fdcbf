import { YagateError } from "@yagate/protocol/calls";
import type { LogFields } from "./logger.ts";
import type { Settings } from "./settings.ts";

const internal = { code: "INTERNAL", message: "the handler failed unexpectedly" } as const;

/**
 * Returns the part of an error that an unverified sender may read: the code of a rejected request, or only that
 * something failed. Logs the rest.
 *
 * @param what - what was rejected, for the log.
 */
export function toPublicError(error: unknown, { logger }: Settings, facts: LogFields, what = "call") {
  if (!YagateError.is(error)) {
    logger.error("the handler failed", { ...facts, error });
    return internal;
  }
  switch (error.code) {
    case "SIGNATURE_MISSING":
    case "SIGNATURE_MALFORMED":
    case "SIGNATURE_MISMATCH":
    case "TIMESTAMP_TOO_OLD":
    case "TIMESTAMP_IN_FUTURE":
      logger.warn(`${what} rejected`, { code: error.code, ...facts });
      return { code: error.code, message: error.code };
    case "PAYLOAD_INVALID":
    case "BODY_TOO_LARGE":
    case "BODY_ALREADY_PARSED":
      logger.warn(`${what} rejected`, { code: error.code, reason: error.message, ...facts });
      return { code: error.code, message: error.message };
    default:
      logger.error("the handler failed", { code: error.code, ...facts, error });
      return internal;
  }
}
