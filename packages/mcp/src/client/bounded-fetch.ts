import type { RequestWatch } from "@yagate/egress";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { CallRequestFacts, McpEndpoint } from "./port.ts";
import { fetchRest } from "./rest-of-response.ts";

/** What the requests of one connection may do, and what happens with them. */
export interface FetchBounds {
  /** Maximum number of bytes in all response bodies together. */
  readonly maxBytes: number;
  /**
   * Called when the event stream that responds to a list or to the watched request has ended or failed. The protocol library
   * would wait for the end of its timeout. Not called if the stream had an event with an id, because the library then resumes it.
   */
  readonly onStreamEnd?: (error: unknown) => void;
  /** The method of the request that is watched; default `tools/call`. */
  readonly watched?: string;
  /** Called immediately before the watched request is sent. If it throws, nothing is sent. */
  readonly beforeCall?: () => void;
  /** Whether the connection only reads the response to an earlier call, so that this request counts as the call. */
  readonly isResumption?: boolean;
  /** Called when the watched request may have reached the server. */
  readonly onCallSent?: () => void;
  /** Set as the watched request proceeds. */
  readonly facts?: CallRequestFacts;
  /** Called with the status of each response. */
  readonly onStatus?: (status: number) => void;
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Wraps the guard's `fetch` for one connection of the protocol library. */
export function createBoundedFetch({ url, fetch, headers = {} }: McpEndpoint, bounds: FetchBounds): Fetch {
  const { origin } = new URL(url);
  const { facts = {}, watched: watchedMethod = "tools/call" } = bounds;
  let received = 0;

  function count(bytes: number): void {
    received += bytes;
    facts.responseBytes = received;
    if (received <= bounds.maxBytes) return;
    throw new YagateError(
      "RESPONSE_TOO_LARGE",
      `the MCP server's responses: expected at most ${bounds.maxBytes} bytes`,
    );
  }

  /** The protocol library reports no failure of a request for the rest of a response. */
  function reportEnd(error: unknown): never {
    bounds.onStreamEnd?.(error);
    throw error;
  }

  return async (input, init = {}) => {
    // The guard's allowlisted networks and the credential are for this server only.
    if (new URL(input).origin !== origin) throw new YagateError("URL_BLOCKED", "expected a URL of the MCP server");
    const sent = new Headers(init.headers);
    const isResumed = sent.has("last-event-id");
    // Servers may close a standing stream and be asked for it again without end. Only a broken response is resumed.
    if (init.method === "GET" && !isResumed) return new Response(null, { status: 405 });
    const isCall = isRequestFor(watchedMethod, init) || (isResumed && bounds.isResumption === true);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    // A redirect would carry the credential and the arguments to another place.
    const request: RequestInit = { ...init, headers: sent, redirect: "error" };
    const send = async () => fetch(input, request, isCall ? watchOfCall(init, bounds) : undefined);
    const response = await (isResumed ? fetchRest(send, init.signal ?? undefined).catch(reportEnd) : send());
    if (isCall) {
      facts.status = response.status;
      Object.assign(facts, defined({ retryAfter: response.headers.get("retry-after") ?? undefined }));
    }
    bounds.onStatus?.(response.status);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const isAwaited = isCall || isResumed || isRequestFor("tools/list", init);
    const onEnd = isStream && isAwaited ? bounds.onStreamEnd : undefined;
    const { status, statusText } = response;
    return new Response(watched(response.body, count, onEnd), { status, statusText, headers: response.headers });
  };
}

function watchOfCall({ body }: RequestInit, { beforeCall, onCallSent, facts = {} }: FetchBounds): RequestWatch {
  return {
    beforeSend() {
      beforeCall?.();
      onCallSent?.();
      if (typeof body === "string") facts.body = body;
    },
    onTimings(timings) {
      facts.timings = timings;
    },
  };
}

/** The length of the beginning of a line that shows whether it has an id, in characters. */
const ID_LENGTH = 64;

function isRequestFor(called: string, { method, body }: RequestInit): boolean {
  return method === "POST" && typeof body === "string" && body.includes(`"${called}"`);
}

/** Passes a body on and counts its bytes. */
function watched(
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
  onEnd: ((error: unknown) => void) | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let line = "";
  let isResumable = false;

  function lookForId(bytes: Uint8Array): void {
    if (onEnd === undefined || isResumable) return;
    const lines = (line + decoder.decode(bytes, { stream: true })).split(/[\r\n]/);
    isResumable = lines.some((one) => /^id: *\S/.test(one));
    // Only the beginning of a line matters.
    line = lines.at(-1)?.slice(0, ID_LENGTH) ?? "";
  }

  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          count(value.byteLength);
          lookForId(value);
          controller.enqueue(value);
          return;
        }
        controller.close();
        if (!isResumable) onEnd?.(undefined);
      } catch (error) {
        await reader.cancel().catch(() => undefined);
        controller.error(error);
        if (!isResumable || (YagateError.is(error) && error.code === "RESPONSE_TOO_LARGE")) onEnd?.(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
