import { createHmac, createSecretKey, type Hmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { HmacPort, SignedText } from "./hmac.ts";

function hmacOf(key: KeyObject, text: SignedText): Hmac {
  const hmac = createHmac("sha256", key);
  if (text.prefix !== "") hmac.update(text.prefix);
  return hmac.update(text.body);
}

/**
 * The implementation with `node:crypto`. It is synchronous and ten times as fast as Web Crypto when calls are awaited
 * one at a time.
 */
export const hmac: HmacPort<KeyObject> = {
  // With the key as bytes, each HMAC would prepare the key again, which is more than four times slower on Node 24.
  createKey: (bytes) => createSecretKey(bytes),
  digests: (keys, text) => keys.map((key) => hmacOf(key, text).digest()),
  signatures: (keys, text, encoding) => keys.map((key) => hmacOf(key, text).digest(encoding)),
  isEqual: (left, right) => left.byteLength === right.byteLength && timingSafeEqual(left, right),
};
