const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** URLs let more through, such as the `*` of somebody who hopes for every subdomain. */
const HOST_NAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/**
 * Whether a text is the origin of a web page exactly as browsers write it in `Origin`: https, or http on a loopback
 * name, lower case, punycode, without the scheme's own port and without anything behind it. `*` and `null` are none.
 */
export function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || !HOST_NAME.test(hostname)) return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
