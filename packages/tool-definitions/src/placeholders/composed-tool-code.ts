import type { WarningCode } from "@yagate/protocol";

/** Codes of the errors of a composed tool. */
export const COMPOSED_TOOL_CODES = [
  "ARGS_TOO_LARGE",
  "BAD_PARAMETER_NAME",
  "BAD_PLACEHOLDER",
  "DELEGATION_CYCLE",
  "DELEGATION_TOO_DEEP",
  "FORBIDDEN_HEADER",
  "FORBIDDEN_KEY",
  "INVALID_ARG",
  "INVALID_HEADER_NAME",
  "INVALID_HEADER_VALUE",
  "INVALID_METHOD",
  "INVALID_URL",
  "MISSING_ARG",
  "NOT_A_SCALAR",
  "PARAMETER_TYPE_MISMATCH",
  "PLACEHOLDER_IN_AUTHORITY",
  "PLACEHOLDER_IN_KEY",
  "PLACEHOLDER_IN_METHOD",
  "RESERVED_NAME",
  "SECRET_HOST_MISMATCH",
  "SECRET_NOT_ALLOWED_HERE",
  "UNKNOWN_ARG",
  "UNKNOWN_PLACEHOLDER",
  "UNKNOWN_PRIMITIVE",
  "UNKNOWN_SECRET",
  "UNKNOWN_TOOL",
  "WEAKER_THAN_TARGET",
] as const;
export type ComposedToolCode = (typeof COMPOSED_TOOL_CODES)[number];

/** Codes of the warnings of a composed tool. */
export const COMPOSED_TOOL_WARNING_CODES = [
  "OPTIONAL_ITEM",
  "PARAMETER_MAY_NOT_FIT",
  "PARAMETER_TYPE_MISMATCH",
  "OPTIONAL_PARAMETER",
  "PLAIN_CREDENTIAL",
  "UNUSED_PARAMETER",
] as const satisfies readonly WarningCode[];
export type ComposedToolWarningCode = (typeof COMPOSED_TOOL_WARNING_CODES)[number];
