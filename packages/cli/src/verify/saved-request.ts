/** A request as somebody saved it. */
export interface SavedRequest {
  /** Names as they were written, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** When it was received, in ms since the epoch, where the file says so. */
  readonly receivedAtMs?: number | undefined;
  /** What has to be known of this way of saving a request, in whole sentences. */
  readonly notes: readonly string[];
  /** Whether the bytes are surely those that were sent or received: some files hold a part, or text in place of bytes. */
  readonly isExact: boolean;
}

/** The value of a header, several lines of one name joined as HTTP says. */
export function headerOf({ headers }: Pick<SavedRequest, "headers">, name: string): string | undefined {
  const values = headers.filter(([candidate]) => candidate.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}
