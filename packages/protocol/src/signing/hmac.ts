/** A signed text: the UTF-8 bytes of the prefix, which may be empty, followed by the body. */
export interface SignedText {
  readonly prefix: string;
  readonly body: Uint8Array;
}

/**
 * The HMAC implementation of a runtime. `#hmac` resolves to the Node or the Web Crypto implementation.
 *
 * An implementation imports nothing from this package, because each implementation is built as a separate file, and a
 * second copy of the error class in that file would break `instanceof`.
 */
export interface HmacPort<Key> {
  /**
   * Prepares an HMAC-SHA256 key. Keep the key, because preparing it costs more than using it. Throws if the runtime has
   * no crypto.
   */
  createKey(bytes: Uint8Array): Key;
  /**
   * Returns the 32-byte HMAC-SHA256 of one text under each key, in the order of the keys. Synchronous if the runtime
   * allows it.
   */
  digests(keys: readonly Key[], text: SignedText): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Does the same as `digests`, but encodes the results as text. Present only in runtimes where this is faster. */
  signatures?(keys: readonly Key[], text: SignedText, encoding: "hex" | "base64"): readonly string[];
  /** Compares two values in a time that depends only on their lengths. */
  isEqual(left: Uint8Array, right: Uint8Array): boolean;
}
