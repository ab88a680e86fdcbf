import { toFieldErrors, YagateError } from "@yagate/protocol";
import type * as z from "zod";

/** What a schema makes of a body, as it is sent. @throws YagateError `INVALID_REQUEST` that names every wrong field. */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.input<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return body as z.input<Schema>;
  const problems = toFieldErrors(parsed.error).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  throw new YagateError("INVALID_REQUEST", problems.join("\n"), { hint: "Nothing was sent." });
}
