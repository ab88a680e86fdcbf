import { meantInstead } from "./closest-word.ts";

/** A field that a schema rejects, as far as a suggestion needs it. */
interface Rejected {
  /** Such as `regions[0]`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/**
 * Adds the field that was probably meant to each error about an unknown field at the top of an object.
 *
 * @param schema - the Zod schema of the object; nothing is added for other schemas.
 */
export function withMeantFields<Field extends Rejected>(errors: readonly Field[], schema: object): readonly Field[] {
  const shape: unknown = "shape" in schema ? schema.shape : undefined;
  if (typeof shape !== "object" || shape === null) return errors;
  const known = Object.keys(shape);
  return errors.map((error) =>
    error.code === "UNRECOGNIZED_KEYS" ? { ...error, message: error.message + meantInstead(error.path, known) } : error,
  );
}
