import { createHash } from "node:crypto";
import * as z from "zod";

/** The fields of a tool source in the configuration file that describe a command. */
export const commandSchema = z.strictObject({
  command: z.string().regex(/\S/, "expected the name or the path of a program, such as npx"),
  args: z.array(z.string()).default([]),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string().regex(/^[^=\0]+$/, "expected the name of a variable"), z.string()).default({}),
});

/** An MCP server that is started as a command and exchanges messages over its standard input and output. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  /** The absolute path of the working directory. */
  readonly cwd: string;
  /** Variables in addition to those that every server gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Characters of a hash in hexadecimal. */
const HASH_LENGTH = 32;

/**
 * Returns a hash of what is started. The values of variables are not part of it, because a new value, such as a rotated
 * key, does not change the server.
 */
export function hashOfServer({ command, args, cwd, env }: StdioServer): string {
  const identity = JSON.stringify([command, args, cwd, Object.keys(env).sort()]);
  return createHash("sha256").update(identity).digest("hex").slice(0, HASH_LENGTH);
}
