/** An escape: its length in bytes, and the bytes that it stands for, which are never more. */
export interface Escape {
  readonly length: number;
  readonly meaning: number | Uint8Array;
}
