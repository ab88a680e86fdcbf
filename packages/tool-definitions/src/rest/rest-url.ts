import { isStableSegment } from "./encode-pairs.ts";

/** A part of a path segment. */
export type UrlPiece = { readonly text: string } | { readonly parameter: string };

/** The parsed URL of a REST tool. */
export interface RestUrl {
  /** The origin, such as `https://api.example.com`. */
  readonly origin: string;
  /** The path, split at its slashes. The first segment is empty. */
  readonly segments: readonly (readonly UrlPiece[])[];
  /** The names in the query of the URL. */
  readonly queryNames: readonly string[];
  /** The query with its question mark; empty if there is none. */
  readonly search: string;
  /** The names of the placeholders, in order. */
  readonly placeholders: readonly string[];
}

/** A reason why a REST tool can't use a URL. */
export interface RestUrlProblem {
  readonly code:
    | "INVALID_URL"
    | "USERINFO"
    | "FRAGMENT"
    | "VARIABLE_AUTHORITY"
    | "MISPLACED_PLACEHOLDER"
    | "INVALID_PLACEHOLDER"
    | "DOT_SEGMENT";
  readonly message: string;
}

/** The parsed URL, or all of its problems. */
export type ParsedRestUrl = { readonly url: RestUrl } | { readonly problems: readonly RestUrlProblem[] };

const PARTS = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
/** Matches characters that a URL parser removes or treats as a slash. */
const UNSAFE = /[\s\\\p{Cc}]/u;
const PLACEHOLDER = /\{([^{}]*)\}/;

/**
 * Parses a URL with placeholders, such as `https://api.example.com/orders/{orderId}`. A segment may contain several
 * placeholders. They are allowed only in the path.
 */
export function parseRestUrl(text: string): ParsedRestUrl {
  const parts = UNSAFE.test(text) ? null : PARTS.exec(text);
  if (parts === null) {
    return { problems: [{ code: "INVALID_URL", message: "expected an absolute https url without spaces" }] };
  }
  const [, scheme = "", authority = "", path = "", query = "", fragment = ""] = parts;
  const origin = URL.parse(`${scheme}://${authority}`)?.origin;
  const problems = [...authorityProblems(authority, origin), ...pathProblems(path)];
  if (/[{}]/.test(query)) {
    const message = "expected placeholders only in the path: add a query parameter instead";
    problems.push({ code: "MISPLACED_PLACEHOLDER", message });
  }
  if (fragment !== "") {
    problems.push({ code: "FRAGMENT", message: "expected a url without a fragment, which is never sent" });
  }
  if (problems.length > 0 || origin === undefined) return { problems };
  const segments = path.split("/").map(toPieces);
  const placeholders = segments.flat().flatMap((piece) => ("parameter" in piece ? [piece.parameter] : []));
  const { search, searchParams } = new URL(`${origin}/${query}`);
  return { url: { origin, segments, search, queryNames: [...new Set(searchParams.keys())], placeholders } };
}

function authorityProblems(authority: string, origin: string | undefined): RestUrlProblem[] {
  if (/[{}$]/.test(authority)) {
    const message = "expected a fixed host without placeholders";
    return [{ code: "VARIABLE_AUTHORITY", message }];
  }
  if (authority.includes("@")) {
    const message =
      "expected a url without a user name or password: store them as a secret and set it as the credential";
    return [{ code: "USERINFO", message }];
  }
  return origin === undefined ? [{ code: "INVALID_URL", message: "expected a url with a host" }] : [];
}

function pathProblems(path: string): RestUrlProblem[] {
  const problems: RestUrlProblem[] = [];
  const withoutPlaceholders = path.replaceAll(new RegExp(PLACEHOLDER, "g"), "");
  if (/[{}]/.test(withoutPlaceholders) || path.includes("{}")) {
    const message = "expected each placeholder to be the name of a path parameter in braces, such as {orderId}";
    problems.push({ code: "INVALID_PLACEHOLDER", message });
  }
  if (!path.split("/").every(isStableSegment)) {
    problems.push({ code: "DOT_SEGMENT", message: "expected a path without the segments . and .." });
  }
  return problems;
}

function toPieces(segment: string): readonly UrlPiece[] {
  return segment
    .split(new RegExp(PLACEHOLDER, "g"))
    .map((part, index) => (index % 2 === 1 ? { parameter: part } : { text: new URL(part, ORIGIN).pathname.slice(1) }))
    .filter((piece) => !("text" in piece) || piece.text !== "");
}

const ORIGIN = "https://path.invalid/";
