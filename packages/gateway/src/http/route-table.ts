import type { Route } from "./route.ts";

/** The routes whose path matches a request. */
export interface MatchedPath {
  /** As declared, such as `/v1/agents/:id`. */
  readonly path: string;
  readonly routes: readonly Route[];
  /** The decoded values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the routes for a path: letter case and a slash at the end make no difference.
 *
 * @throws URIError if a parameter cannot be decoded.
 */
export type FindRoutes = (path: string) => MatchedPath | undefined;

/** Creates the function that finds routes by path. */
export function createRouteTable(routes: readonly Route[]): FindRoutes {
  const rows = byPath(routes).map((row) => ({ ...row, pattern: patternOf(row.path) }));
  return (requested) => {
    for (const { path, routes, pattern } of rows) {
      const match = pattern.exec(requested);
      if (match !== null) return { path, routes, params: decoded(match.groups) };
    }
    return undefined;
  };
}

/**
 * Groups the routes by path. Literal segments come before parameters, so `/v1/tools/import` is never taken for the tool
 * with the id "import".
 */
function byPath(routes: readonly Route[]): readonly Omit<MatchedPath, "params">[] {
  const groups = Map.groupBy(routes, ({ path }) => path);
  const sortKey = (path: string) => path.replaceAll(/:\w+/g, "~");
  return [...groups]
    .map(([path, ofPath]) => ({ path, routes: ofPath }))
    .sort((left, right) => (sortKey(left.path) < sortKey(right.path) ? -1 : 1));
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(".", "\\.").replaceAll(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}/?$`, "i");
}

function decoded(groups: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}
