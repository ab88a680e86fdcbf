import * as z from "zod";

/**
 * Name of a workspace's signing secret or of another named resource: 1 to 64 characters from `a-z 0-9 _ -`, starting
 * with a letter.
 */
export const resourceNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "expected 1 to 64 lower-case letters, digits, _ or -, starting with a letter");
