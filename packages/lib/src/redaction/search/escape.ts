/** What an escape is: how many bytes it takes up, and the bytes that it means, not more of them. */
export interface Escape {
  readonly length: number;
  readonly meaning: number | Uint8Array;
}
