import { type ParsedUrlQuery, parse } from "node:querystring";

/** The parts of a request target, still percent-encoded in the path. */
export interface RequestTarget {
  readonly path: string;
  readonly query: ParsedUrlQuery;
}

/** A path with a query, or the absolute form that a request to a proxy has (RFC 9112, section 3.2). */
const TARGET = /^(?:https?:\/\/[^/?#]*)?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?/i;

/** Reads the target of a request, such as `/v1/agents?limit=2`. */
export function parseRequestTarget(target = ""): RequestTarget {
  const { path = "", query = "" } = TARGET.exec(target)?.groups ?? {};
  return { path: path === "" ? "/" : path, query: parse(query) };
}
