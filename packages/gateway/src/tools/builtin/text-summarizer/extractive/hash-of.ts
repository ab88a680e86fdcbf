/** A number from 0 to 2³² − 1 for a text (FNV-1a over its UTF-16 units); `seed` gives another such function. */
export function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The low bits of a product depend on low bits only.
  hash ^= hash >>> 15;
  return hash >>> 0;
}
