import { YagateError } from "@yagate/protocol";
import { fieldPath } from "@yagate/tool-definitions/field-path";
import { InvalidRequestError } from "../errors/request-errors.ts";

/** What stands before a message: a pointer into what was read, or the field of the request that is meant instead. */
const PLACED = /^(?<place>\/\S*|[a-z]+): (?<message>.+)$/s;

/**
 * Tells where in the request something is that a reader of documents or templates has refused.
 *
 * @param field - what was read, by its name in the request.
 * @throws InvalidRequestError with the place; any other error as it is.
 */
export function refuseField(error: unknown, field: { readonly name: string; readonly value: unknown }): never {
  if (!YagateError.is(error) || error.code !== "INVALID_REQUEST" || error instanceof InvalidRequestError) throw error;
  const { place = "", message = error.message } = PLACED.exec(error.message)?.groups ?? {};
  const isPointer = place === "" || place.startsWith("/");
  const path = isPointer ? fieldPath(field.name, field.value, place) : place;
  throw new InvalidRequestError([{ path, code: "NOT_USABLE", message }]);
}
