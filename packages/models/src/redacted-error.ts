import { defined } from "@yagate/lib/objects/defined";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import { ModelTurnError } from "./port.ts";

type TextRedaction = Pick<Redaction, "text">;

/** Maximum number of causes that are kept; the log prints fewer. */
const MAX_CAUSES = 10;

/** Removes the provider's key from a failed turn: from its message, and from its causes, which may be logged. */
export function redactedFailure(failure: ModelTurnError, redaction: TextRedaction): ModelTurnError {
  const { code, message, isRetryable, retryAfterMs, spending, unreachable, developerMessage, cause } = failure;
  return new ModelTurnError(code, redaction.text(message), {
    isRetryable,
    ...defined({ retryAfterMs, spending }),
    ...(unreachable === undefined
      ? {}
      : { unreachable: { ...unreachable, reason: redaction.text(unreachable.reason) } }),
    ...(developerMessage === undefined ? {} : { developerMessage: redaction.text(developerMessage) }),
    ...(cause === undefined ? {} : { cause: redactedError(cause, redaction) }),
  });
}

/**
 * Returns an error without the key: the error itself if it does not contain the key, otherwise a redacted copy with
 * only the fields that are logged.
 */
export function redactedError(error: unknown, redaction: TextRedaction): unknown {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; next = next.cause) chain.push(next);
  const holdsKey = chain.some(({ message, stack = "" }) =>
    [message, stack].some((text) => redaction.text(text) !== text),
  );
  return holdsKey
    ? chain.reduceRight<Error | undefined>((cause, one) => copyOf(one, cause, redaction), undefined)
    : error;
}

function copyOf(error: Error, cause: Error | undefined, redaction: TextRedaction): Error {
  const copy = new Error(redaction.text(error.message), cause === undefined ? undefined : { cause });
  const code = "code" in error && typeof error.code === "string" ? { code: redaction.text(error.code) } : {};
  return Object.assign(copy, code, { name: error.name, stack: redaction.text(error.stack ?? "") });
}
