import { withoutTrailingDot } from "@yagate/lib/hosts/host-name";

/** Matches tracking parameters, which do not change the content. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|vero_id|_hsenc|_hsmi|__hs\w+|oly_anon_id|oly_enc_id|rb_clickid|s_cid|wickedid|ref_src|ref_url|spm|_ga|_gl|cmpid|icid)$/i;
/** Longer URLs are not normalised, because they rarely occur with a different spelling. */
const MAX_CHARACTERS = 8_192;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;
const INDEX_PAGE = /\/(?:index|default)\.(?:html?|php|aspx?)$/i;

/** Removes tracking parameters from an http or https URL. Other URLs stay unchanged. */
export function withoutTracking(url: string): string {
  const parsed = webUrl(url);
  if (parsed === undefined) return url;
  const isTracked = [...parsed.searchParams.keys()].some((name) => TRACKING.test(name));
  if (isTracked) {
    // The remaining parameters are kept verbatim, because URLSearchParams would re-encode them.
    const parts = parsed.search.slice(1).split("&");
    parsed.search = parts.filter((part) => !TRACKING.test(nameOf(part))).join("&");
  }
  if (!parsed.hash.startsWith("#!")) parsed.hash = "";
  return parsed.href;
}

/**
 * Returns a key that is equal for all URLs of the same page. The key ignores the scheme, `www.`, `m.`, a trailing slash
 * or index file, the order of parameters, tracking parameters and differences in percent-encoding.
 *
 * @see RFC 3986, 6.2.2 and 6.2.4
 */
export function urlKey(url: string): string {
  const parsed = webUrl(withoutTracking(url));
  if (parsed === undefined) return url;
  const host = withoutTrailingDot(parsed.hostname)
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

/** Decodes percent-encoded unreserved characters, and writes other percent-encodings in upper case. */
function decodeUnreserved(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}

/** Returns the host of an http or https URL, without a trailing dot; `undefined` for other URLs. */
export function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return withoutTrailingDot(parsed.hostname);
}
