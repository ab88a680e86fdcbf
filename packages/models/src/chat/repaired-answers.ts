import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { AnswerForm } from "../bounded-answers.ts";
import { callOff } from "../call-off.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import { ChatStream, type PieceRepair } from "./chat-stream.ts";
import { joinedStream } from "./joined-stream.ts";
import { repairedAnswer } from "./repaired-answer.ts";
import { RepairedPieces } from "./repaired-pieces.ts";
import { failedResponse, repairedResponse } from "./repaired-response.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** How answers of one API are put right. */
interface Repair {
  /** A whole answer in its place; `undefined`: it stays as it is. */
  readonly whole: (answer: unknown) => object | undefined;
  readonly createPieces: () => PieceRepair;
  /** A stream that answers a request for a whole answer, as one answer; `undefined`: the text is none. */
  readonly joined: (text: string) => object | undefined;
}

/**
 * Puts answers right before the AI SDK reads them: servers that are compatible with OpenAI's chat completions differ in
 * what they leave out, add and call by other names, and its schemas refuse an answer for each such difference.
 *
 * @param provider - the name of the provider, which may have a dialect of its own.
 */
export function withRepairedAnswers(
  fetch: typeof globalThis.fetch,
  form: AnswerForm,
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
      whole: (answer) => repairedAnswer(answer, dialect),
      createPieces: () => new RepairedPieces(dialect),
      joined: joinedStream,
    };
  }
  if (!path.endsWith("/responses")) return undefined;
  return {
    // The AI SDK reads the error of a failed answer for OpenAI, and for xAI in streams alone.
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
      // Once it is being read, the end of the request ends it.
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

/** Some proxies put the end of a stream behind what is none. */
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
