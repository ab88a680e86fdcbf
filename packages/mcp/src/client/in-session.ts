import { YagateError } from "@yagate/protocol";
import { brokenStream, LAST_EVENT_MS } from "./failures.ts";
import { openSession, type Session, type SessionOptions } from "./open-session.ts";

/** Bounds of a request that has a connection of its own. */
export interface RequestBounds extends Omit<SessionOptions, "onStreamEnd"> {
  /** Maximum time in ms without progress; default 30 000. */
  readonly idleMs?: number | undefined;
}

/** The bounds as the protocol library takes them. */
export interface LibraryBounds {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
}

const DEFAULT_IDLE_MS = 30_000;
const LATE = "the MCP server did not respond in time";

/**
 * Sends a request over a connection of its own. Rejects with the real cause if the response breaks off, and closes the
 * connection.
 *
 * @param bounds.timeoutMs - maximum time for the connection and the request together, in ms.
 */
export async function inSession<Result>(
  bounds: RequestBounds,
  request: (session: Session, library: LibraryBounds) => Promise<Result>,
): Promise<Result> {
  const broken = new AbortController();
  const { timeoutMs, idleMs = DEFAULT_IDLE_MS } = bounds;
  const signal = AbortSignal.any([bounds.signal, broken.signal]);
  const timeout = Math.min(timeoutMs, idleMs);
  const onStreamEnd = (error: unknown) => {
    setTimeout(() => broken.abort(brokenStream(error)), LAST_EVENT_MS).unref();
  };
  const late = setTimeout(() => broken.abort(new YagateError("TIMEOUT", LATE)), timeoutMs);
  let session: Session | undefined;
  try {
    session = await openSession({ ...bounds, signal, timeoutMs: timeout, onStreamEnd });
    return await request(session, { signal, timeout, maxTotalTimeout: timeoutMs });
  } catch (error) {
    // The library reports an abort as a timeout.
    throw broken.signal.aborted ? broken.signal.reason : error;
  } finally {
    clearTimeout(late);
    await session?.close();
  }
}
