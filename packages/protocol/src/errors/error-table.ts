import { ERROR_HINTS } from "./error-hints.ts";
import { ERROR_TRAITS, type ErrorCode } from "./error-traits.ts";
import { REFUSAL_TRAITS, type RefusalTraits } from "./refusal-traits.ts";

/** The traits of a code. */
export interface ErrorTraits extends RefusalTraits {
  /** HTTP status of a response with the code. */
  readonly status: number;
  /** Whether an automatic retry, if necessary with different arguments, can help. Individual errors with the code may still not be retryable. */
  readonly isRetryable: boolean;
  /** The default hint for the reader: a developer, or a model that called a tool. */
  readonly hint: string;
}

const NO_REFUSAL: RefusalTraits = {
  isTransient: false,
  isDecision: false,
  isBlock: false,
  isSetupFault: false,
  isUnsigned: false,
};

/**
 * All codes with their traits and hints. Code for edge runtimes imports ERROR_TRAITS instead, which contains no hints.
 */
export const ERROR_TABLE = /* @__PURE__ */ completeTable();

function completeTable(): Readonly<Record<ErrorCode, ErrorTraits>> {
  const rows = Object.entries(ERROR_TRAITS).map(([code, traits]) => [
    code,
    { ...traits, hint: ERROR_HINTS[code as ErrorCode], ...NO_REFUSAL, ...REFUSAL_TRAITS[code as ErrorCode] },
  ]);
  return Object.fromEntries(rows);
}
