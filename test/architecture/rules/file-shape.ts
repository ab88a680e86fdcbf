const DRAWER = /(^|[/.-])(utils?|helpers?|common|misc)([/.]|$)/i;

/** Paths with a folder or file that is named after nothing in particular. */
export function namelessPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => DRAWER.test(path));
}

export const MAX_SOURCE_LINES = 400;

/** What a package exports: a list of names, and no code. */
const EXPORT_LIST = /^packages\/[^/]+\/src\/index\.ts$/;

/** Whether a path is a source that the limit of lines is for; tables of tests and lists of exports may be long. */
export function isSource(path: string): boolean {
  return !EXPORT_LIST.test(path) && /\.(ts|tsx|mts|mjs|js)$/.test(path) && !/\.test(-d)?\.ts$/.test(path);
}
