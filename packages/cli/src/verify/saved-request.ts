/** A saved request. */
export interface SavedRequest {
  /** Names as written, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** When it was received, in ms since the epoch, if the file says so. */
  readonly receivedAtMs?: number | undefined;
  /** What the reader must know about this format of saved requests, in whole sentences. */
  readonly notes: readonly string[];
  /**
   * Whether the bytes are exactly those that were sent or received: some formats contain only a part, or text instead
   * of bytes.
   */
  readonly isExact: boolean;
}

/** The value of a header; repeated headers are joined as in HTTP. */
export function headerOf({ headers }: Pick<SavedRequest, "headers">, name: string): string | undefined {
  const values = headers.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}
