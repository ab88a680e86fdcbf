import { relativeLinks } from "./relative-links.ts";

/** Where a path in prose may start: the repository's root, or the folders that such a text is about. */
export const PATH_ROOTS: readonly string[] = ["", "packages/", "packages/gateway/src/"];

const PATH = /^[\w.*-]+(\/[\w.*-]+)*\/?$/;
const FILE_NAME = /\.(ts|mts|mjs|js|json|jsonc|md|sh)$/;

/**
 * The paths of the repository that a page names: targets of relative links, code spans that are a path (they end in a
 * slash or a file's extension, or begin with a folder that exists), and folder trees in fences without a language.
 */
export function namedPaths(markdown: string, isFolder: (path: string) => boolean): readonly string[] {
  const fences = [...markdown.matchAll(/^```(\w*).*\n([\s\S]*?)^```$/gm)];
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, "");
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, span = ""]) => span)
    .filter((span) => PATH.test(span) && isPath(span, isFolder));
  const trees = fences.filter(([, language]) => language === "").flatMap(([, , text = ""]) => treePaths(text));
  return [...relativeLinks(prose), ...spans, ...trees];
}

function isPath(span: string, isFolder: (path: string) => boolean): boolean {
  const [first = ""] = span.split("/");
  if (span.endsWith("/") || FILE_NAME.test(span)) return true;
  return span.includes("/") && PATH_ROOTS.some((root) => isFolder(`${root}${first}`));
}

/** Lines such as `  journal/   what it is for`, each under the folder above it that is indented less. */
function treePaths(text: string): readonly string[] {
  const parents: { readonly indent: number; readonly path: string }[] = [];
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const [, spaces = "", name = ""] = /^( *)(\S+)/.exec(line) ?? [];
    if (!PATH.test(name) || !(name.endsWith("/") || FILE_NAME.test(name))) continue;
    while ((parents.at(-1)?.indent ?? -1) >= spaces.length) parents.pop();
    const path = `${parents.at(-1)?.path ?? ""}${name}`;
    found.push(path);
    if (name.endsWith("/")) parents.push({ indent: spaces.length, path });
  }
  return found;
}
