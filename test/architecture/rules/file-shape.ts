const DRAWER = /(^|[/.-])(utils?|helpers?|common|misc)([/.]|$)/i;

/** Paths with a folder or file that is named after nothing in particular. */
export function namelessPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => DRAWER.test(path));
}

export const MAX_SOURCE_LINES = 400;

/** Whether a path is a source that the limit of lines is for; tables of tests may be long. */
export function isSource(path: string): boolean {
  return /\.(ts|mts|mjs|js)$/.test(path) && !/\.test(-d)?\.ts$/.test(path);
}
