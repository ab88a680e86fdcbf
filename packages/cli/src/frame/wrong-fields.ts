import { ApiError } from "@yagate/client";
import { type FieldError, YagateError } from "@yagate/protocol";

/** A command's options, by the API field that they set. */
export type OptionNames = Readonly<Record<string, string>>;

/** The request that a command line produces is invalid and was not sent. */
export class WrongFieldsError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super("INVALID_REQUEST", lineOf(fields, {}));
    this.fields = fields;
  }
}

/** Returns the invalid fields that an error names. */
export function fieldErrorsOf(error: unknown): readonly FieldError[] {
  if (error instanceof WrongFieldsError) return error.fields;
  return ApiError.is(error) ? error.fieldErrors : [];
}

/** Matches gateway messages that are replaced by the list of their fields. */
const POINTS_TO_FIELDS = /^the request has fields that are wrong, missing or unknown; see errors/;
const MAX_FIELDS = 20;

/** Formats an error message with option names instead of field names. */
export function messageOf(error: YagateError, options: OptionNames): string {
  if (error instanceof WrongFieldsError) return lineOf(error.fields, options);
  if (!ApiError.is(error) || error.fieldErrors.length === 0) return error.message;
  if (POINTS_TO_FIELDS.test(error.message)) return lineOf(error.fieldErrors, options);
  return needsConfirmation(error) ? confirmationOf(error, options) : error.message;
}

/** Returns whether the gateway rejected a request only because it lacks a confirmation. */
export function needsConfirmation(error: unknown): boolean {
  const fields = fieldErrorsOf(error);
  return fields.length > 0 && fields.every(({ code }) => code === "CONFIRMATION_REQUIRED");
}

/** The message names a field of the API. The sentences about the tools follow, without that field. */
function confirmationOf({ message, fieldErrors }: ApiError, { confirm = "confirm: true" }: OptionNames): string {
  const [sentence = ""] = message.split(/; see errors|: send confirm: true/);
  const own = fieldErrors.map((field) => field.message).filter((text) => !text.startsWith(sentence));
  return [`${sentence}: add ${confirm} if that is intended`, ...own.slice(0, MAX_FIELDS)].join("\n");
}

function lineOf(fields: readonly FieldError[], options: OptionNames): string {
  const lines = fields.slice(0, MAX_FIELDS).map(({ path, message }) => {
    // An entry in a list belongs to an option that may be repeated.
    const name = options[path] ?? options[path.replace(/\[\d+\]$/, "")] ?? path;
    return name === "" ? message : `${name}: ${message}`;
  });
  return [...lines, ...(fields.length > MAX_FIELDS ? [`and ${fields.length - MAX_FIELDS} more`] : [])].join("\n");
}
