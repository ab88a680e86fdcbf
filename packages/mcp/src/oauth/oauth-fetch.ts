import { OAuthFailure } from "./oauth-failure.ts";
import type { OAuthTarget } from "./port.ts";

/** Maximum size of a response in bytes. */
const MAX_RESPONSE_BYTES = 262_144;
/** Maximum time in ms for a request, including its response. */
const REQUEST_MS = 10_000;

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The requests of one step. */
export interface OAuthRequests {
  readonly fetch: Fetch;
  /** Sends a request and ignores the body of its response, which may be a stream without end. */
  readonly head: Fetch;
  /** The status of the latest response; 0 if the latest request has none. */
  readonly status: () => number;
}

/**
 * Creates the `fetch` for all requests of OAuth. It follows no redirect, reads each response completely within limits
 * of size and time, and uses allowlisted networks only for the origins that a person wrote.
 *
 * @param requestMs - the time limit of a request; tests shorten it.
 */
export function createOAuthRequests(target: Omit<OAuthTarget, "now">, requestMs = REQUEST_MS): OAuthRequests {
  const written = new Set([new URL(target.url).origin, new URL(target.issuer).origin]);
  let status = 0;

  async function send(input: string | URL, init: RequestInit, read: typeof readBody): Promise<Response> {
    const url = new URL(input);
    const sender = written.has(url.origin) ? target.fetch : target.publicFetch;
    const late = AbortSignal.timeout(requestMs);
    status = 0;
    try {
      const signal = AbortSignal.any([target.signal, late]);
      const response = await sender(url, { ...init, redirect: "error", signal });
      const body = await read(response);
      status = response.status;
      return new Response(body, { status: response.status, headers: response.headers });
    } catch (error) {
      if (target.signal.aborted) {
        throw new OAuthFailure("SOURCE_UNREACHABLE", "a request for authorization was cancelled");
      }
      if (!late.aborted) throw error;
      throw new OAuthFailure("SOURCE_UNREACHABLE", "a request for authorization got no response in time");
    }
  }

  return {
    status: () => status,
    fetch: (input, init = {}) => send(input, init, readBody),
    head: (input, init = {}) => send(input, init, dropBody),
  };
}

async function dropBody({ body }: Response): Promise<null> {
  await body?.cancel();
  return null;
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the response.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) {
      const message = `a response to a request for authorization exceeds ${MAX_RESPONSE_BYTES} bytes`;
      throw new OAuthFailure("SOURCE_UNREACHABLE", message);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
