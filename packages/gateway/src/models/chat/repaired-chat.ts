import type { AnswerForm } from "../bounded-answers.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import { ChatStream } from "./chat-stream.ts";
import { repairedAnswer } from "./repaired-answer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Puts chat completions right before the AI SDK reads them: servers that are compatible with OpenAI's API differ in what
 * they leave out, add and call by other names, and its schemas refuse an answer for each such difference.
 */
export function withRepairedChat(
  fetch: typeof globalThis.fetch,
  form: AnswerForm,
  dialect: ChatDialect,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isChat = String(input).includes("/chat/completions");
    if (!isChat || !response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = form === "whole" ? repairedWhole(response.body, dialect) : repairedStream(response.body, dialect);
    return new Response(body, { status, statusText, headers });
  };
}

function repairedWhole(body: ReadableStream<Uint8Array<ArrayBuffer>>, dialect: ChatDialect): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const text = await new Response(body).text();
        controller.enqueue(new TextEncoder().encode(repairedText(text, dialect)));
        controller.close();
      },
      // Once it is being read, the end of the request ends it.
      cancel: (reason) => (body.locked ? undefined : body.cancel(reason)),
    },
    { highWaterMark: 0 },
  );
}

function repairedText(text: string, dialect: ChatDialect): string {
  try {
    const repaired = repairedAnswer(JSON.parse(text), dialect);
    return repaired === undefined ? text : JSON.stringify(repaired);
  } catch {
    return text;
  }
}

function repairedStream(body: ReadableStream<Uint8Array>, dialect: ChatDialect): ReadableStream<Bytes> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const chat = new ChatStream(dialect);
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
          if (!done) await reader.cancel();
          return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
