import { EgressError } from "@yagate/egress";
import { YagateError } from "@yagate/protocol";
import type { McpEndpoint } from "./port.ts";

/** What the requests of one connection may do, and what happens with them. */
export interface FetchBounds {
  /** Maximum number of bytes in all response bodies together. */
  readonly maxBytes: number;
  /**
   * Called when the event stream that responds to a tool call has ended or failed. The protocol library would wait for
   * the end of its timeout.
   */
  readonly onCallStreamEnd?: (error: unknown) => void;
  /** Called when a tool call may have reached the server. */
  readonly onCallSent?: () => void;
  /** Called with the status of each response. */
  readonly onStatus?: (status: number) => void;
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Wraps the guard's `fetch` for one connection of the protocol library. */
export function createBoundedFetch({ fetch, headers = {} }: McpEndpoint, bounds: FetchBounds): Fetch {
  let received = 0;

  function count(bytes: number): void {
    received += bytes;
    if (received <= bounds.maxBytes) return;
    throw new YagateError(
      "RESPONSE_TOO_LARGE",
      `the MCP server's responses: expected at most ${bounds.maxBytes} bytes`,
    );
  }

  return async (input, init = {}) => {
    const isCall = isToolCall(init);
    const sent = new Headers(init.headers);
    // Servers may close a standing stream and be asked for it again without end. Only a broken response is resumed.
    if (init.method === "GET" && !sent.has("last-event-id")) return new Response(null, { status: 405 });
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    // A redirect would carry the credential and the arguments to another place.
    const response = await fetch(input, { ...init, headers: sent, redirect: "error" }).catch((error: unknown) => {
      const isUnsent = error instanceof EgressError && !error.bytesMayHaveLeft;
      if (isCall && !isUnsent) bounds.onCallSent?.();
      throw error;
    });
    if (isCall) bounds.onCallSent?.();
    bounds.onStatus?.(response.status);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const onEnd = isStream && isCall ? bounds.onCallStreamEnd : undefined;
    const { status, statusText } = response;
    return new Response(watched(response.body, count, onEnd), { status, statusText, headers: response.headers });
  };
}

function isToolCall({ method, body }: RequestInit): boolean {
  return method === "POST" && typeof body === "string" && body.includes('"tools/call"');
}

/** Passes a body on and counts its bytes. */
function watched(
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
  onEnd: ((error: unknown) => void) | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          count(value.byteLength);
          controller.enqueue(value);
          return;
        }
        controller.close();
        onEnd?.(undefined);
      } catch (error) {
        await reader.cancel().catch(() => undefined);
        controller.error(error);
        onEnd?.(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
