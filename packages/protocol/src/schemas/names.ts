import * as z from "zod";

/** Longest tool name, in characters. */
export const MAX_TOOL_NAME_LENGTH = 64;

/** Snake case in namespaces: `lookup_order`, `orders.get_by_id`; at most 64 characters. */
export const toolNameSchema = z
  .string()
  .max(MAX_TOOL_NAME_LENGTH)
  .regex(
    /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/,
    "expected snake_case, with dots between namespaces, such as lookup_order or orders.get_by_id",
  );

/** Name of a workspace's signing secret or of another named setting: 1 to 64 of `a-z 0-9 _ -`. */
export const resourceNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter");
