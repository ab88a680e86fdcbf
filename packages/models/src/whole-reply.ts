import { callOff } from "./call-off.ts";
import { ModelTurnError } from "./port.ts";

/** Thrown when a server sends a complete response to a streaming request. */
export class WholeReply extends Error {
  override readonly name = "WholeReply";
  readonly response: Response;

  constructor(response: Response) {
    super("the response was not streamed");
    this.response = response;
  }
}

/**
 * Wraps `fetch` to distinguish streams from complete responses by their first bytes. Some servers never stream, or do
 * not stream if there are tools, and their content type is unreliable.
 *
 * @throws WholeReply for a response that is one JSON object; ModelTurnError for any other response that is not a
 *   stream.
 */
export function withWholeReplies(fetch: typeof globalThis.fetch, provider: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const { beginning, body } = await peek(response.body);
    const peeked = new Response(body, { status, statusText, headers });
    if (beginning === "{") throw new WholeReply(peeked);
    if (beginning !== "<") return peeked;
    callOff(body);
    throw new ModelTurnError("MODEL_ERROR", `${provider} sent an invalid response`, {
      developerMessage: `HTTP ${status}: expected server-sent events or JSON, got a page of HTML or XML`,
    });
  };
}

/**
 * Reads up to the first character of a body that is not white space. Returns this character and an equivalent of the
 * complete body.
 */
async function peek(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let beginning = "";
  for (let bytes = 0; beginning === "" && bytes < MAX_WHITE_SPACE; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.byteLength;
    beginning = decoder.decode(value.subarray(0, MAX_WHITE_SPACE), { stream: true }).trimStart().slice(0, 1);
  }
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { beginning, body: whole };
}

/** Maximum white space before a response, in bytes. Some servers send white space to keep a connection alive. */
const MAX_WHITE_SPACE = 65_536;
