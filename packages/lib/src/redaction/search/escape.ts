/** An escape: its length in bytes, and the bytes for which it stands, of which there are never more. */
export interface Escape {
  readonly length: number;
  readonly meaning: number | Uint8Array;
}
