import { callOff } from "./call-off.ts";
import { ModelTurnError } from "./port.ts";

/** The answer to a request for a stream that came all at once. */
export class WholeReply extends Error {
  override readonly name = "WholeReply";
  readonly response: Response;

  constructor(response: Response) {
    super("the answer came at once");
    this.response = response;
  }
}

/**
 * Tells streams from answers that came at once, by their beginning: some servers do not stream, or not together with
 * tools, and what they say of the content's type is not always so.
 *
 * @throws WholeReply for an answer that is one JSON object, ModelTurnError for one that is neither.
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
    throw new ModelTurnError("MODEL_ERROR", `${provider} sent an answer that could not be read`, {
      developerMessage: `HTTP ${status}: expected server-sent events or JSON, got a page of HTML or XML`,
    });
  };
}

/** The first character of a body that is no white space, and the body from its beginning on. */
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

/** Servers that keep a connection alive send some of it before they answer. */
const MAX_WHITE_SPACE = 65_536;
