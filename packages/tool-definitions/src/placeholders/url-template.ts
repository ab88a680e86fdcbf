import type { JsonValue } from "@yagate/protocol";
import { RenderError } from "../request/render-error.ts";
import { MAX_REQUEST_URL_LENGTH } from "../request/request-limits.ts";
import { isStableSegment } from "../rest/encode-pairs.ts";
import { parseQuery, type QueryPair } from "./query-template.ts";
import { cutTokens, splitTokens } from "./split-tokens.ts";
import type { TemplateReader } from "./template-reader.ts";
import type { TemplateToken } from "./template-text.ts";
import { renderText, type TemplateValues } from "./template-values.ts";
import { IN_URL } from "./url-encoding.ts";

/** A URL with a fixed scheme, host and port. */
export interface UrlTemplate {
  /** The origin in normal form, such as `https://api.example.com`. */
  readonly origin: string;
  /** The host in lower case, without a port. */
  readonly host: string;
  /** The parts of each path segment after the first slash. */
  readonly segments: readonly (readonly TemplateToken[])[];
  readonly query: readonly QueryPair[];
}

const AUTHORITY = /^https?:\/\/[^/?#]+/;
const UNENCODED = /[^\x21-\x7e]|\\|%(?![0-9A-Fa-f]{2})/;

/**
 * Parses the URL of a request.
 * @returns undefined for an invalid URL; the reader then contains the reasons.
 */
export function parseUrl(value: JsonValue, path: string, reader: TemplateReader): UrlTemplate | undefined {
  if (typeof value !== "string") {
    reader.refuse(path, "INVALID_URL", "expected an https URL as a string");
    return undefined;
  }
  if (value.length > MAX_REQUEST_URL_LENGTH) {
    reader.refuse(path, "INVALID_URL", `expected at most ${MAX_REQUEST_URL_LENGTH} characters`);
    return undefined;
  }
  const tokens = reader.text(value, path);
  if (tokens === undefined) return undefined;
  const start = parseAuthority(tokens, path, reader);
  if (start === undefined) return undefined;
  const problem = problemOfText(tokens) ?? problemOfPath(start.segments);
  if (problem === undefined) return { ...start, query: parseQuery(start.queryTokens, path, reader) };
  reader.refuse(path, "INVALID_URL", problem);
  return undefined;
}

interface UrlStart extends Pick<UrlTemplate, "origin" | "host" | "segments"> {
  readonly queryTokens: readonly TemplateToken[] | undefined;
}

/**
 * Parses the scheme, host and port. The host must end within the author's text, so that no argument can become part of
 * it.
 */
function parseAuthority(tokens: readonly TemplateToken[], path: string, reader: TemplateReader): UrlStart | undefined {
  const [first] = tokens;
  const text = first !== undefined && "text" in first ? first.text : "";
  const start = AUTHORITY.exec(text)?.[0] ?? "";
  const isFilledIn = tokens.some((token) => !("text" in token));
  if (isFilledIn && (start === "" || start.length === text.length)) {
    const message =
      "expected a fixed scheme, host and port followed by / or ?: placeholders are allowed only after them";
    reader.refuse(path, "PLACEHOLDER_IN_AUTHORITY", message);
    return undefined;
  }
  const url = start === "" ? null : URL.parse(start);
  if (url === null || url.hostname === "") {
    reader.refuse(path, "INVALID_URL", "expected an absolute URL such as https://api.example.com/v1/orders/${orderId}");
    return undefined;
  }
  if (start.includes("@")) {
    reader.refuse(path, "INVALID_URL", "expected no user name or password in the URL: store them as a secret");
    return undefined;
  }
  const rest: readonly TemplateToken[] = [{ text: text.slice(start.length) }, ...tokens.slice(1)];
  const { before, after } = cutTokens(rest, "?");
  const segments = splitTokens(before, "/").slice(1);
  const { origin, hostname: host } = url;
  return { origin, host, segments: segments.length === 0 ? [[]] : segments, queryTokens: after };
}

function problemOfText(tokens: readonly TemplateToken[]): string | undefined {
  const texts = tokens.map((token) => ("text" in token ? token.text : ""));
  if (texts.some((text) => text.includes("#"))) return "expected no fragment, which is never sent";
  if (texts.some((text) => UNENCODED.test(text))) {
    return "expected printable ASCII without spaces or backslashes: percent-encode all other characters";
  }
  return undefined;
}

function problemOfPath(segments: readonly (readonly TemplateToken[])[]): string | undefined {
  const texts = segments.map((segment) => segment.map((token) => ("text" in token ? token.text : "\0")).join(""));
  return texts.every(isStableSegment) ? undefined : "expected no path segment . or ..";
}

/**
 * Renders the URL up to its query.
 *
 * @throws RenderError `INVALID_PATH_SEGMENT` for a value that makes the segment empty or changes the path.
 */
export function renderUrlStart({ origin, segments }: UrlTemplate, values: TemplateValues): string {
  return `${origin}/${segments.map((segment) => renderSegment(segment, values)).join("/")}`;
}

function renderSegment(segment: readonly TemplateToken[], values: TemplateValues): string {
  const rendered = renderText(segment, values, IN_URL);
  const isFixed = segment.every((token) => "text" in token);
  if (isFixed || (rendered !== "" && isStableSegment(rendered))) return rendered;
  const names = segment.flatMap((token) => ("parameter" in token ? [token.parameter] : [])).join(" and ");
  const message = `${names || "the segment"} must not be empty, "." or "..": it is a segment of the path`;
  throw new RenderError("INVALID_PATH_SEGMENT", message);
}

/**
 * Checks that the arguments changed neither the origin of the rendered URL nor the number of its path segments, as a
 * client parses it.
 *
 * @returns the URL as it is sent.
 * @throws RenderError `INVALID_PATH_SEGMENT`.
 */
export function assertSameRoute(rendered: string, { origin, segments }: UrlTemplate): string {
  const url = URL.parse(rendered);
  const isSame =
    url !== null &&
    url.origin === origin &&
    url.username === "" &&
    url.password === "" &&
    url.hash === "" &&
    url.pathname.split("/").length === segments.length + 1;
  if (isSame) return url.href;
  throw new RenderError("INVALID_PATH_SEGMENT", "the arguments must not change the destination of the url");
}

/** Returns the fixed origin of a URL template, such as `https://api.example.com`; undefined for an invalid URL. */
export function fixedOrigin(url: JsonValue | undefined): string | undefined {
  const start = typeof url === "string" ? AUTHORITY.exec(url)?.[0] : undefined;
  return start === undefined || start.includes("${") ? undefined : URL.parse(start)?.origin;
}
