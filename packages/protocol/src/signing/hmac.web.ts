import type { HmacPort, SignedText } from "./hmac.ts";

type WebKey = Promise<Parameters<typeof crypto.subtle.sign>[1]>;

/** One buffer of our own: Web Crypto takes no parts, and refuses views of shared memory. */
function toBytes(text: SignedText): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = text.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

/** Web Crypto: browsers, Workers and every other runtime that does not resolve the `node` condition. */
export const hmac: HmacPort<WebKey> = {
  createKey: (bytes) =>
    crypto.subtle.importKey("raw", new Uint8Array(bytes), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]),

  digests(keys, text) {
    const bytes = toBytes(text);
    return Promise.all(keys.map(async (key) => new Uint8Array(await crypto.subtle.sign("HMAC", await key, bytes))));
  },

  isEqual(left, right) {
    if (left.byteLength !== right.byteLength) return false;
    let difference = 0;
    for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
    return difference === 0;
  },
};
