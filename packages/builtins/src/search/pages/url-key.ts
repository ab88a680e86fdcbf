/** Parameters that tell where a reader came from, not what is read. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|vero_id|_hsenc|_hsmi|__hs\w+|oly_anon_id|oly_enc_id|rb_clickid|s_cid|wickedid|ref_src|ref_url|spm|_ga|_gl|cmpid|icid)$/i;
/** Nobody writes longer ones by hand, and no page of them has a second address. */
const MAX_CHARACTERS = 8_192;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;
const INDEX_PAGE = /\/(?:index|default)\.(?:html?|php|aspx?)$/i;

/** An address without what only tells where a reader came from; the same page. Other addresses stay as they are. */
export function withoutTracking(url: string): string {
  const parsed = webUrl(url);
  if (parsed === undefined) return url;
  const isTracked = [...parsed.searchParams.keys()].some((name) => TRACKING.test(name));
  if (isTracked) {
    // What is kept stays as it was written: URLSearchParams would encode it anew.
    const parts = parsed.search.slice(1).split("&");
    parsed.search = parts.filter((part) => !TRACKING.test(nameOf(part))).join("&");
  }
  if (!parsed.hash.startsWith("#!")) parsed.hash = "";
  return parsed.href;
}

/**
 * What two addresses of one page have in common: the scheme, `www.`, `m.`, a slash or an index file at the end, the order
 * of parameters, tracking and percent-encoding don't matter.
 *
 * @see RFC 3986, 6.2.2 and 6.2.4
 */
export function urlKey(url: string): string {
  const parsed = webUrl(withoutTracking(url));
  if (parsed === undefined) return url;
  const host = parsed.hostname
    .replace(/\.$/, "")
    .replace(/^www\d?\.(?=[^.]+\.)/, "")
    .replace(/^((?:[a-z-]{2,7}\.)?)(?:m|mobile|amp)\.(?=[^.]+\.)/, "$1");
  const port = parsed.port === "" ? "" : `:${parsed.port}`;
  const path = decodeUnreserved(parsed.pathname)
    .replace(INDEX_PAGE, "/")
    .replace(/\/amp\/?$/i, "/")
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "");
  const parameters = parsed.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !/^(?:amp|outputType=amp)(?:=1)?$/i.test(part));
  const query = parameters.map(decodeUnreserved).toSorted().join("&");
  const fragment = parsed.hash;
  return `${host}${port}${path}${query === "" ? "" : `?${query}`}${fragment}`;
}

function webUrl(url: string): URL | undefined {
  const parsed = url.length > MAX_CHARACTERS ? null : URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed : undefined;
}

function nameOf(part: string): string {
  return new URLSearchParams(part).keys().next().value ?? "";
}

/** Decodes what needs no encoding, and writes the rest in upper case. */
function decodeUnreserved(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
