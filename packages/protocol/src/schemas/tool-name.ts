import * as z from "zod";

/** Maximum length of a tool's name, in characters. */
export const MAX_TOOL_NAME_LENGTH = 64;

/**
 * The name of a tool: letters, digits, `_` and `-`, with dots between namespaces, each of which starts with a letter;
 * at most 64 characters. Models work best with snake case, such as `lookup_order` or `orders.get_by_id`.
 */
export const toolNameSchema = z
  .string()
  .max(MAX_TOOL_NAME_LENGTH)
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z][A-Za-z0-9_-]*)*$/,
    "expected letters, digits, _ or -, with dots between namespaces, such as lookup_order or orders.get_by_id",
  );
