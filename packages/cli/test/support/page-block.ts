import { readFileSync } from "node:fs";

/** The first block of a page in a language; with a text, the first that has it. */
export function pageBlock(page: string, language: string, containing = ""): string {
  const markdown = readFileSync(new URL(`../../../../${page}`, import.meta.url), "utf8");
  const blocks = [...markdown.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, name, text = ""]) => name === language && text.includes(containing));
  if (found?.[2] === undefined) throw new Error(`${page} has no such block`);
  return found[2];
}
