import { YagateError } from "@yagate/protocol";
import type * as z from "zod";

/** Checks an id before it becomes part of a path: an empty id or `..` would change the route. */
export function requireId(schema: z.ZodType<string>, id: unknown): string {
  const parsed = schema.safeParse(id);
  if (parsed.success) return parsed.data;
  const expected = parsed.error.issues[0]?.message ?? "expected an id";
  throw new YagateError("INVALID_REQUEST", expected.startsWith("expected") ? expected : "expected an id as a string");
}
