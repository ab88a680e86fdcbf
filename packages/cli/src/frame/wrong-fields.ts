import { ApiError } from "@yagate/client";
import { type FieldError, YagateError } from "@yagate/protocol";

/** The options of a command, by the fields of the API that they become. */
export type OptionNames = Readonly<Record<string, string>>;

/** What a command line makes cannot be sent; nothing was. */
export class WrongFieldsError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super("INVALID_REQUEST", lineOf(fields, {}));
    this.fields = fields;
  }
}

/** How the gateway begins a message that its fields say better. */
const POINTS_TO_FIELDS = /^the request has fields that are wrong, missing or unknown; see errors/;
const MAX_FIELDS = 20;

/** The message of an error, in which wrong fields have the names of the options that they came from. */
export function messageOf(error: YagateError, options: OptionNames): string {
  if (error instanceof WrongFieldsError) return lineOf(error.fields, options);
  if (!ApiError.is(error) || error.fieldErrors.length === 0) return error.message;
  if (!POINTS_TO_FIELDS.test(error.message)) return error.message;
  return lineOf(error.fieldErrors, options);
}

function lineOf(fields: readonly FieldError[], options: OptionNames): string {
  const lines = fields.slice(0, MAX_FIELDS).map(({ path, message }) => {
    // One of a list is an option that may be repeated.
    const name = options[path] ?? options[path.replace(/\[\d+\]$/, "")] ?? path;
    return name === "" ? message : `${name}: ${message}`;
  });
  return [...lines, ...(fields.length > MAX_FIELDS ? [`and ${fields.length - MAX_FIELDS} more`] : [])].join("\n");
}
