import { withMeantFields } from "@yagate/lib/json-schema/meant-fields";
import { toFieldErrors, YagateError } from "@yagate/protocol";
import { readJsonArgument } from "../read-text.ts";

interface Schema<Output> {
  safeParse(
    value: unknown,
  ): { success: true; data: Output } | { success: false; error: Parameters<typeof toFieldErrors>[0] };
}

/**
 * Reads a JSON argument, adds the name that is an argument of its own, and checks the result.
 *
 * @throws YagateError `INVALID_REQUEST`, with the path of each invalid field.
 */
export async function parseDefinition<Output>(
  schema: Schema<Output>,
  { text, name, example, named = {} }: { text: string; name: string; example: string; named?: object },
): Promise<Output> {
  const parsed = schema.safeParse({ ...Object(await readJsonArgument(text, name, example)), ...named });
  if (parsed.success) return parsed.data;
  const problems = withMeantFields(toFieldErrors(parsed.error), schema).map(
    ({ path, message }) => `${path}: ${message}`,
  );
  throw new YagateError("INVALID_REQUEST", problems.join("; "));
}
