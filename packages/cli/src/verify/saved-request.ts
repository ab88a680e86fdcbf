/** A saved request. */
export interface SavedRequest {
  /** The headers in order, with names as written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** When the request was received, in ms since the epoch; absent if the file does not contain it. */
  readonly receivedAtMs?: number | undefined;
  /** What readers must know about this format of saved requests, in complete sentences. */
  readonly notes: readonly string[];
  /**
   * Whether the bytes are exactly those that were sent or received. Some formats contain only part of the body, or text
   * instead of bytes.
   */
  readonly isExact: boolean;
}

/** Returns the value of a header. Repeated headers are joined as in HTTP. */
export function headerOf({ headers }: Pick<SavedRequest, "headers">, name: string): string | undefined {
  const values = headers.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}
