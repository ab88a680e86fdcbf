/** One signed text: the UTF-8 bytes of the prefix, which may be empty, and right after them the body. */
export interface SignedText {
  readonly prefix: string;
  readonly body: Uint8Array;
}

/**
 * What signing needs of a runtime. `#hmac` resolves to the Node or the Web Crypto implementation.
 *
 * An implementation imports nothing of this package: it is built as a file of its own, and a second copy of the error
 * class in it would break `instanceof`.
 */
export interface HmacPort<Key> {
  /** Prepares an HMAC-SHA256 key, to be kept: preparing costs more than using. Throws where the runtime has no crypto. */
  createKey(bytes: Uint8Array): Key;
  /** The 32-byte HMAC-SHA256 of one text under each key, in the order of the keys. Synchronous where the runtime can. */
  digests(keys: readonly Key[], text: SignedText): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** The same as texts, where the runtime writes them faster than we can. */
  signatures?(keys: readonly Key[], text: SignedText, encoding: "hex" | "base64"): readonly string[];
  /** Compares in a time that depends on the lengths only. */
  isEqual(left: Uint8Array, right: Uint8Array): boolean;
}
