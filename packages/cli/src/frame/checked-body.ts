import { toFieldErrors } from "@yagate/protocol";
import type * as z from "zod";
import { WrongFieldsError } from "./wrong-fields.ts";

/**
 * Validates a body with a schema and returns it in wire form. @throws WrongFieldsError `INVALID_REQUEST` that names
 * every wrong field.
 */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.input<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return body as z.input<Schema>;
  throw new WrongFieldsError(toFieldErrors(parsed.error));
}
