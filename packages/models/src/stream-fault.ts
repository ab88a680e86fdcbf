import { toRecord } from "./hosted/record.ts";

/** An error that a provider reported in the middle of a stream. */
export interface StreamFault {
  readonly message: string;
  /** The HTTP status in the error, 400 to 599. */
  readonly status: number | undefined;
  /** Whether the error states that the request may be repeated. */
  readonly isRetryable: boolean;
  /** The provider's original error object. */
  readonly data: unknown;
}

/** Statuses for the messages of servers that report nothing else when they are busy or broken. */
const STATUS_OF_MESSAGE: ReadonlyMap<string, number> = new Map([
  ["overloaded", 503],
  ["overloaded error", 503],
  ["model overloaded", 503],
  ["service unavailable", 503],
  ["internal server error", 500],
]);

const STATUS_FIELDS = ["statusCode", "status_code", "status", "code"] as const;

/**
 * Reads an error in a stream: an object with a message, which may be inside `error` or `response.error`. Returns
 * undefined for an `Error` and for any other value.
 */
export function readStreamFault(error: unknown): StreamFault | undefined {
  const outer = error instanceof Error ? undefined : toRecord(error);
  if (outer === undefined) return undefined;
  const details = toRecord(toRecord(outer["response"])?.["error"]) ?? toRecord(outer["error"]) ?? outer;
  const message = details["message"];
  if (typeof message !== "string") return undefined;
  const statuses = STATUS_FIELDS.flatMap((field) => [toStatus(details[field]), toStatus(outer[field])]);
  const status = statuses.find((known) => known !== undefined) ?? STATUS_OF_MESSAGE.get(message.trim().toLowerCase());
  const stated = [details["isRetryable"], outer["isRetryable"], details["is_retryable"], outer["is_retryable"]];
  return {
    message,
    status,
    isRetryable: stated.includes(true),
    data: toRecord(outer["data"]) ?? error,
  };
}

function toStatus(value: unknown): number | undefined {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}
