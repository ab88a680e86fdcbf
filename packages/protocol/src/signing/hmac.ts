/** A signed text: the UTF-8 bytes of the prefix, which may be empty, followed by the body. */
export interface SignedText {
  readonly prefix: string;
  readonly body: Uint8Array;
}

/**
 * The part of a runtime that signing needs. `#hmac` resolves to the Node or the Web Crypto implementation.
 *
 * An implementation imports nothing from this package: it is built as its own file, and a second copy of the error
 * class in it would break `instanceof`.
 */
export interface HmacPort<Key> {
  /** Prepares an HMAC-SHA256 key. Keep it: preparing costs more than using. Throws if the runtime has no crypto. */
  createKey(bytes: Uint8Array): Key;
  /**
   * Returns the 32-byte HMAC-SHA256 of one text under each key, in the order of the keys. Synchronous if the runtime
   * allows.
   */
  digests(keys: readonly Key[], text: SignedText): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Like `digests`, as texts, if the runtime writes them faster. */
  signatures?(keys: readonly Key[], text: SignedText, encoding: "hex" | "base64"): readonly string[];
  /** Compares in a time that depends only on the lengths. */
  isEqual(left: Uint8Array, right: Uint8Array): boolean;
}
