const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Whether a text is the origin of a web page exactly as browsers write it in `Origin`: https, or http on a loopback
 * name, lower case, punycode, without the scheme's own port and without anything behind it. `*` and `null` are none.
 */
export function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text) return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
