import type { HmacPort, SignedText } from "./hmac.ts";

type WebKey = Promise<Parameters<typeof crypto.subtle.sign>[1]>;

/** Copies the text into one buffer, because Web Crypto accepts neither several parts nor views of shared memory. */
function toBytes({ prefix, body }: SignedText): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(prefix);
  const bytes = new Uint8Array(start.byteLength + body.byteLength);
  bytes.set(start);
  bytes.set(body, start.byteLength);
  return bytes;
}

/**
 * The implementation with Web Crypto, for browsers, Workers and all other runtimes that do not resolve the `node`
 * condition.
 */
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
