import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { ResponseForm } from "../bounded-responses.ts";
import { callOff } from "../call-off.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import { ChatStream, type PieceRepair } from "./chat-stream.ts";
import { joinedStream } from "./joined-stream.ts";
import { repairedCompletion } from "./repaired-completion.ts";
import { RepairedPieces } from "./repaired-pieces.ts";
import { failedResponse, repairedResponse } from "./repaired-response.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Repairs the responses of one API. */
interface Repair {
  /** Returns the repaired response; `undefined` if it needs no repair. */
  readonly whole: (answer: unknown) => object | undefined;
  readonly createPieces: () => PieceRepair;
  /**
   * Joins the stream that a server sent in response to a non-streaming request into one response; `undefined` if the
   * text is not a stream.
   */
  readonly joined: (text: string) => object | undefined;
}

/**
 * Repairs responses before the AI SDK parses them. Servers that are compatible with OpenAI's chat completions omit, add
 * and rename fields, and the SDK's schemas reject every such difference.
 *
 * @param provider - the provider's name, which determines the dialect.
 */
export function withRepairedResponses(
  fetch: typeof globalThis.fetch,
  form: ResponseForm,
  provider: string,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const repair = repairFor(new URL(String(input)).pathname, provider);
    if (repair === undefined || !response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = form === "whole" ? repairedWhole(response.body, repair) : repairedStream(response.body, repair);
    return new Response(body, { status, statusText, headers });
  };
}

function repairFor(path: string, provider: string): Repair | undefined {
  if (path.endsWith("/chat/completions")) {
    const dialect: ChatDialect = provider === "mistral" ? "mistral" : "openai";
    return {
      whole: (answer) => repairedCompletion(answer, dialect),
      createPieces: () => new RepairedPieces(dialect),
      joined: joinedStream,
    };
  }
  if (!path.endsWith("/responses")) return undefined;
  return {
    // For OpenAI, the AI SDK recognises an error in a complete response; for xAI, only in a stream.
    whole: (answer) => (provider === "xai" ? failedResponse(answer) : undefined) ?? repairedResponse(answer),
    createPieces: () => ({ take: repairedResponse, end: () => undefined }),
    joined: () => undefined,
  };
}

function repairedWhole(body: ReadableStream<Uint8Array<ArrayBuffer>>, repair: Repair): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const text = await new Response(body).text();
        controller.enqueue(new TextEncoder().encode(repairedText(text, repair)));
        controller.close();
      },
      // Aborting the request also stops reading the response body.
      cancel: (reason) => (body.locked ? undefined : body.cancel(reason)),
    },
    { highWaterMark: 0 },
  );
}

function repairedText(text: string, repair: Repair): string {
  const answer = parseJsonOrUndefined(text) ?? parseJsonOrUndefined(withoutEnd(text)) ?? repair.joined(text);
  if (answer === undefined) return text;
  return JSON.stringify(repair.whole(answer) ?? answer);
}

/** Removes the end marker of a stream, which some proxies append to a response that is not a stream. */
function withoutEnd(text: string): string {
  const rest = text.trimEnd();
  return rest.endsWith(STREAM_END) ? rest.slice(0, -STREAM_END.length) : "";
}

const STREAM_END = "data: [DONE]";

function repairedStream(body: ReadableStream<Uint8Array>, repair: Repair): ReadableStream<Bytes> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const chat = new ChatStream(repair.createPieces());
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        for (let rewritten = ""; rewritten === ""; ) {
          const { done, value } = await reader.read();
          rewritten = done
            ? chat.take(decoder.decode()) + chat.end()
            : chat.take(decoder.decode(value, { stream: true }));
          if (rewritten !== "") controller.enqueue(encoder.encode(rewritten));
          if (!done && !chat.isDone) continue;
          controller.close();
          if (!done) callOff(reader);
          return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
