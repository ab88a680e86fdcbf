/** The targets of a page's links that lead to other files of the repository, without their fragment. */
export function relativeLinks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}
