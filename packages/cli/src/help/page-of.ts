import type { CommandSpec } from "../frame/command-spec.ts";

const REFERENCE = "cli-reference";

/**
 * Returns the page and the anchor that explain a command. By default, this is the command's section in the reference.
 */
export function pageOf({ page }: CommandSpec, path: readonly string[]): [page: string, anchor?: string] {
  if (page === undefined) return [REFERENCE, ["yagate", ...path].join("-")];
  const [name = page, anchor] = page.split("#");
  return anchor === undefined ? [name] : [name, anchor];
}
