import { isIPv6 } from "node:net";

const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::([0-9]*))?$/;
const FUTURE_ADDRESS = /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** Patterns for the allowed characters in the parts of a URI and, beyond ASCII, of an IRI. */
interface Characters {
  readonly userinfo: RegExp;
  readonly name: RegExp;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly fragment: RegExp;
}

const OTHERS =
  "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}\\u{40000}-\\u{4fffd}\\u{50000}-\\u{5fffd}\\u{60000}-\\u{6fffd}\\u{70000}-\\u{7fffd}\\u{80000}-\\u{8fffd}\\u{90000}-\\u{9fffd}\\u{a0000}-\\u{afffd}\\u{b0000}-\\u{bfffd}\\u{c0000}-\\u{cfffd}\\u{d0000}-\\u{dfffd}\\u{e1000}-\\u{efffd}";
const PRIVATE = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

const URI = charactersWith("", "");
const IRI = charactersWith(OTHERS, PRIVATE);

function charactersWith(others: string, inQuery: string): Characters {
  const of = (more: string) => new RegExp(`^(?:[\\w.~!$&'()*+,;=${more}${others}\\-]|%[0-9a-fA-F]{2})*$`, "u");
  return { userinfo: of(":"), name: of(""), path: of(":@\\/"), query: of(`:@\\/?${inQuery}`), fragment: of(":@\\/?") };
}

/** Checks a URI as in RFC 3986. */
export function isUri(text: string): boolean {
  return isReference(text, URI, true);
}

/** Checks a URI reference as in RFC 3986. */
export function isUriReference(text: string): boolean {
  return isReference(text, URI, false);
}

/** Checks an IRI as in RFC 3987. */
export function isIri(text: string): boolean {
  return isReference(text, IRI, true);
}

/** Checks an IRI reference as in RFC 3987. */
export function isIriReference(text: string): boolean {
  return isReference(text, IRI, false);
}

function isReference(text: string, characters: Characters, mustHaveScheme: boolean): boolean {
  const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
  if (scheme === undefined ? mustHaveScheme : !SCHEME.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, characters)) return false;
  // Without a scheme, the first segment of a relative path must not contain a colon; otherwise, the text before the
  // colon would be the scheme.
  if (scheme === undefined && authority === undefined && /^[^/]*:/.test(path)) return false;
  return characters.path.test(path) && characters.query.test(query) && characters.fragment.test(fragment);
}

function isAuthority(authority: string, characters: Characters): boolean {
  const parts = AUTHORITY.exec(authority);
  if (parts === null) return false;
  const [, userinfo = "", host = ""] = parts;
  if (!characters.userinfo.test(userinfo)) return false;
  if (!host.startsWith("[")) return characters.name.test(host);
  const address = host.slice(1, -1);
  return (isIPv6(address) && !address.includes("%")) || FUTURE_ADDRESS.test(address);
}

const VARIABLE = "(?:\\w|%[0-9a-fA-F]{2})(?:\\.?(?:\\w|%[0-9a-fA-F]{2}))*(?:\\*|:[1-9][0-9]{0,3})?";
const TEMPLATE = new RegExp(
  `^(?:[^\\x00-\\x20"<>%\\\\^\`{|}\\x7f]|%[0-9a-fA-F]{2}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  "u",
);

/** Checks a URI template as in RFC 6570. */
export function isUriTemplate(text: string): boolean {
  return TEMPLATE.test(text);
}
