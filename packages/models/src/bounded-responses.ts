import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { callOff } from "./call-off.ts";
import { type JsonSize, JsonSizeLimit } from "./json-size-limit.ts";
import { RESPONSE_LIMITS } from "./response-limits.ts";
import { tooLarge } from "./too-large.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** How the response was requested: complete or as a stream. */
export type ResponseForm = "whole" | "streamed";

/**
 * Yields to the event loop after this many bytes, or this many chunks of a stream; the AI SDK takes about 0.02 ms per
 * chunk.
 */
const BYTES_OF_A_TURN = 16_384;
const PIECES_OF_A_TURN = 32;

/**
 * Limits the responses of a model server before the AI SDK parses them. The SDK parses synchronously, in time that
 * grows faster than the size of the response. If a response exceeds a limit, reading it fails with a ModelTurnError.
 */
export function withBoundedResponses(
  fetch: typeof globalThis.fetch,
  form: ResponseForm,
  provider: string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.ok ? bounded(response.body, form, provider) : beginning(response.body);
    return new Response(body, { status, statusText, headers });
  };
}

function bounded(body: ReadableStream<Uint8Array>, form: ResponseForm, provider: string): ReadableStream<Bytes> {
  const take = createTaking(form, provider);
  const reader = body.getReader();
  let chunk: Uint8Array = new Uint8Array();
  let taken = 0;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        if (taken === chunk.byteLength) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          chunk = value;
          taken = 0;
        }
        try {
          const end = take(chunk, taken);
          controller.enqueue(new Uint8Array(chunk.subarray(taken, end)));
          taken = end;
        } catch (error) {
          controller.error(error);
          callOff(reader, error);
        }
        await yieldToEventLoop();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Returns a function that measures part of a chunk, starting at an offset, and returns the offset at which the next
 * part starts.
 */
function createTaking(form: ResponseForm, provider: string): (chunk: Uint8Array, from: number) => number {
  const meter = new JsonSizeLimit(form === "streamed");
  let pieces = 0;
  return (chunk, from) => {
    const some = chunk.subarray(0, from + BYTES_OF_A_TURN);
    let end = from;
    for (let count = 0; end < some.byteLength && count < PIECES_OF_A_TURN; ) {
      const measured = meter.measure(some, end);
      assertWithinLimits(measured, provider);
      end = measured.end;
      if (!measured.isEventOver) continue;
      count += 1;
      pieces += 1;
    }
    if (pieces > RESPONSE_LIMITS.pieces) throw tooLarge(provider, `${RESPONSE_LIMITS.pieces} chunks`);
    return end;
  };
}

function assertWithinLimits(size: JsonSize, provider: string): void {
  for (const measure of ["bytes", "containers", "values", "depth"] as const) {
    if (size[measure] > RESPONSE_LIMITS[measure])
      throw tooLarge(provider, `${RESPONSE_LIMITS[measure]} ${WORDS[measure]}`);
  }
}

const WORDS = {
  bytes: "bytes in one response or one chunk of a stream",
  containers: "objects and arrays in one response or one chunk of a stream",
  values: "values in one response or one chunk of a stream",
  depth: "levels of nested objects and arrays",
} as const;

/** Returns the start of an error response and cancels the rest, which is not needed. */
function beginning(body: ReadableStream<Uint8Array>): ReadableStream<Bytes> {
  const reader = body.getReader();
  let rest: number = RESPONSE_LIMITS.errorBytes;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(new Uint8Array(value.subarray(0, rest)));
      rest -= value.byteLength;
      if (rest > 0) return;
      controller.close();
      callOff(reader);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
