const DRAWER = /(^|[/.-])(utils?|helpers?|common|misc)([/.]|$)/i;

/** Paths with a folder or file that is named after nothing in particular. */
export function namelessPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => DRAWER.test(path));
}

export const MAX_SOURCE_LINES = 400;

/** Sources that may be longer, each with its reason. */
export const LONG_SOURCES: Readonly<Record<string, string>> = {
  "packages/gateway/src/gateway.ts": "the one place that wires every room to the others",
};

/** Whether a path is a source that the limit of lines is for; tables of tests may be long. */
export function isSource(path: string): boolean {
  return /\.(ts|mts|mjs|js)$/.test(path) && !/\.test(-d)?\.ts$/.test(path);
}
