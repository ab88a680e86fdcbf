const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** The URL parser accepts more, such as `*` as a label. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Whether a text is the origin of a web page exactly as browsers write it in `Origin`: https, or http on a loopback
 * name, in lower case and punycode, without the default port and without a path. `*` and `null` are not origins.
 */
export function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || !HOST_NAME.test(hostname)) return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
