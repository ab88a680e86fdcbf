import { withMeantFields } from "@yagate/lib/json-schema/meant-fields";
import { toFieldErrors } from "@yagate/protocol";
import type * as z from "zod";
import { WrongFieldsError } from "./wrong-fields.ts";

/**
 * Validates a body with a schema and returns it as it is sent.
 *
 * @throws WrongFieldsError `INVALID_REQUEST` with every invalid field.
 */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.input<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return body as z.input<Schema>;
  throw new WrongFieldsError(withMeantFields(toFieldErrors(parsed.error), schema));
}
