export { ERROR_TABLE, type ErrorCode, type ErrorTraits, isErrorCode } from "./errors/error-table.ts";
export { YagateError, type YagateErrorOptions } from "./errors/yagate-error.ts";
