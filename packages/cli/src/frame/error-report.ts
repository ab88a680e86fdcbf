import { ApiError } from "@yagate/client";
import { ERROR_TABLE, type ErrorCode, type FieldError, YagateError } from "@yagate/protocol";
import { withCommandName } from "../command-name.ts";
import { errorDocsUrl } from "./docs-url.ts";
import { EXIT, type ExitStatus } from "./exit-status.ts";
import { fieldErrorsOf, messageOf, needsConfirmation, type OptionNames } from "./wrong-fields.ts";

/** What went wrong, for people and for programs. */
export interface ErrorReport {
  readonly status: ExitStatus;
  readonly code: string;
  readonly message: string;
  /** The system's error message, if it adds information. */
  readonly cause?: string;
  /** What to do next. */
  readonly advice: string;
  readonly docs: string;
  readonly httpStatus: number;
  readonly requestId?: string;
  readonly fields: readonly FieldError[];
}

/** Advice for a shell, for codes whose hint is meant for callers of the API. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  CONNECTION_FAILED:
    "check that the gateway is running and that its URL is correct: --url, YAGATE_BASE_URL or the profile",
  UNAUTHENTICATED: "use a valid API key: --api-key-file, YAGATE_API_KEY or yagate login",
  NOT_FINISHED: "wait longer with --timeout, or follow the execution with yagate executions follow",
};

/** System errors that the user can correct, such as a path, a permission or a full disk. */
const SYSTEM_ERRORS: ReadonlySet<string> = new Set([
  "EACCES",
  "EEXIST",
  "EISDIR",
  "ENOENT",
  "ENOSPC",
  "ENOTDIR",
  "ENOTEMPTY",
  "EPERM",
  "EROFS",
  "EMFILE",
]);

/**
 * Describes an error for the user of the command.
 *
 * @param command - such as `agents create`, for the advice to read its help.
 * @param options - maps fields of the API to options of the command line.
 */
export function reportOf(error: unknown, command: string, options: OptionNames = {}): ErrorReport {
  const report = describe(error, command, options);
  return { ...report, message: withCommandName(report.message), advice: withCommandName(report.advice) };
}

function describe(error: unknown, command: string, options: OptionNames): ErrorReport {
  if (YagateError.is(error)) return knownReport(error, command, options);
  const system = systemError(error);
  if (system !== undefined && SYSTEM_ERRORS.has(system.code)) {
    return {
      ...{ status: EXIT.usage, code: "INVALID_REQUEST", message: system.message, advice: helpAdvice(command) },
      ...{ docs: errorDocsUrl("INVALID_REQUEST"), httpStatus: ERROR_TABLE.INVALID_REQUEST.status, fields: [] },
    };
  }
  return {
    status: EXIT.defect,
    code: "INTERNAL",
    message: `the command has a bug: ${error instanceof Error ? error.message : String(error)}`,
    advice: "run it again with --debug, and report what it prints",
    docs: errorDocsUrl("INTERNAL"),
    httpStatus: ERROR_TABLE.INTERNAL.status,
    fields: [],
  };
}

function knownReport(error: YagateError, command: string, options: OptionNames): ErrorReport {
  const { code, hint } = error;
  const cause = systemCause(error);
  const requestId = ApiError.is(error) ? error.requestId : null;
  return {
    status: statusOf(error),
    code: ApiError.is(error) ? error.rawCode : code,
    message: messageOf(error, options),
    ...(cause === undefined || error.message.includes(cause) ? {} : { cause }),
    advice: needsConfirmation(error)
      ? `add ${options["confirm"] ?? "confirm: true"}`
      : hint === ERROR_TABLE[code].hint
        ? (ADVICE[code] ?? defaultAdvice(error, command))
        : hint,
    docs: errorDocsUrl(code),
    httpStatus: error.status,
    ...(requestId === null ? {} : { requestId }),
    fields: fieldErrorsOf(error),
  };
}

function defaultAdvice(error: YagateError, command: string): string {
  return error.code === "INVALID_REQUEST" ? helpAdvice(command) : error.hint;
}

function helpAdvice(command: string): string {
  return `yagate ${command === "" ? "" : `${command} `}--help`;
}

function statusOf(error: YagateError): ExitStatus {
  switch (error.code) {
    case "CONNECTION_FAILED":
      return EXIT.unreachable;
    case "NOT_FINISHED":
      return EXIT.notFinished;
    case "CANCELLED":
      return ApiError.is(error) ? EXIT.usage : EXIT.interrupted;
    case "INTERNAL":
      return ApiError.is(error) ? EXIT.answerIsNo : EXIT.defect;
    case "UNAVAILABLE":
      return ApiError.is(error) ? EXIT.unreachable : EXIT.usage;
    case "SOURCE_UNREACHABLE":
    case "SOURCE_UNAUTHORIZED":
    case "INVALID_RESPONSE_SIGNATURE":
    case "MANIFEST_INVALID":
      return ApiError.is(error) ? EXIT.answerIsNo : EXIT.usage;
    case "UNAUTHENTICATED":
    case "FORBIDDEN":
      return ApiError.is(error) ? EXIT.unauthorized : EXIT.usage;
    default:
      return EXIT.usage;
  }
}

/**
 * Returns the system's error at the end of the chain of causes. Other messages may quote input, and paths may be
 * secrets that were passed by mistake.
 */
function systemCause(error: unknown): string | undefined {
  let found: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const system = systemError(cause);
    if (system !== undefined) found = system.summary;
  }
  return found;
}

interface SystemError {
  readonly code: string;
  readonly message: string;
  /** The error without paths, such as `connect ECONNREFUSED 127.0.0.1:4820`. */
  readonly summary: string;
}

function systemError(error: unknown): SystemError | undefined {
  if (!(error instanceof Error) || YagateError.is(error)) return undefined;
  const { code, syscall, address, hostname, port }: Readonly<Record<string, unknown>> = { ...error };
  // Node tries every address of a name and collects the errors.
  if (typeof code !== "string" || (syscall === undefined && !(error instanceof AggregateError))) return undefined;
  const place = [address ?? hostname, port].filter((part) => part !== undefined).join(":");
  return { code, message: error.message, summary: [syscall, code, place].filter(Boolean).join(" ") };
}
