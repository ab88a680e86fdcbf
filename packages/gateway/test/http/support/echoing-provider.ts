import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { listenOnLoopback } from "../../../../../test/services/listen-on-loopback.ts";

/** How a proxy may write the key that it was called with. */
export const KEY_FORMS = {
  plain: (key) => key,
  base64: (key) => Buffer.from(key).toString("base64"),
  "base64 of the header": (key) => Buffer.from(`Bearer ${key}`).toString("base64"),
  base64url: (key) => Buffer.from(key).toString("base64url"),
  percent: (key) => hexBytes(key, "%"),
  hex: (key) => Buffer.from(key).toString("hex"),
  "hex with colons": (key) => hexBytes(key, ":"),
  "JSON escapes": (key) => hexBytes(key, "\\u00"),
  "percent in JSON escapes": (key) => hexBytes(hexBytes(key, "%"), "\\u00"),
  "base64 in percent": (key) => hexBytes(Buffer.from(key).toString("base64"), "%"),
} as const satisfies Record<string, (key: string) => string>;

export type KeyForm = keyof typeof KEY_FORMS;

function hexBytes(text: string, before: string): string {
  return Array.from(Buffer.from(text), (byte) => before + byte.toString(16).padStart(2, "0")).join("");
}

/** Where the key stands. Of `retry` the first answer fails, and the next one is whole. */
export const ECHO_PLACES = [
  "refusal",
  "end of the quote",
  "retry",
  "stream fault",
  "finish reason",
  "answer",
  "reasoning",
  "call",
] as const;
export type EchoPlace = (typeof ECHO_PLACES)[number];

const requestSchema = z.object({ model: z.string(), stream: z.boolean().optional() });

/** The model that echoes its key in this form and at this place. */
export function echoModel(place: EchoPlace, form: KeyForm): string {
  return `echo-${ECHO_PLACES.indexOf(place)}-${Object.keys(KEY_FORMS).indexOf(form)}`;
}

/** Starts a server that speaks OpenAI's chat completions and echoes the key of each request as its model says. */
export async function startEchoingProvider(): Promise<string> {
  const retried = new Set<string>();
  const server = createServer((request, response) => {
    void answer(request, response, retried);
  });
  return `${await listenOnLoopback(server)}/v1`;
}

async function answer(request: IncomingMessage, response: ServerResponse, retried: Set<string>): Promise<void> {
  const { model, stream = false } = requestSchema.parse(await json(request));
  const [, placeIndex, formIndex] = model.split("-");
  const place = ECHO_PLACES[Number(placeIndex)] ?? "refusal";
  const key = (request.headers.authorization ?? "").replace("Bearer ", "");
  const write = Object.values(KEY_FORMS)[Number(formIndex)] ?? KEY_FORMS.plain;
  const echoed = write(key);
  const fail = (status: number, message: string) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after-ms": "1" });
    response.end(JSON.stringify({ error: { message, type: "upstream" } }));
  };
  const isFirst = !retried.has(key + model);
  retried.add(key + model);
  switch (place) {
    case "refusal":
      return fail(400, `upstream said no to x-key: ${echoed} .`);
    case "end of the quote":
      return fail(400, `${"x".repeat(485)} ${echoed}`);
    case "retry":
      return isFirst ? fail(503, `busy with ${echoed} .`) : whole(response, { content: "ok" }, "stop", stream);
    case "stream fault":
      if (!stream) return fail(400, `upstream said no to ${echoed} .`);
      return sendEvents(response, [
        { choices: [{ index: 0, delta: { content: "well" }, finish_reason: null }] },
        { error: { message: `the engine broke over ${echoed} .`, type: "invalid", code: 400 } },
      ]);
    case "finish reason":
      return whole(response, { content: "" }, `error ${echoed}`, stream);
    case "answer":
      return whole(response, { content: `you sent ${echoed} to me` }, "stop", stream);
    case "reasoning":
      return whole(response, { content: "ok", reasoning_content: `they sent ${echoed} to me` }, "stop", stream);
    case "call":
      return isFirst
        ? whole(response, { content: "", tool_calls: [callWith(echoed)] }, "tool_calls", stream)
        : whole(response, { content: "ok" }, "stop", stream);
  }
}

function callWith(text: string): object {
  const parameters = JSON.stringify({ expression: "1 + 1", note: text });
  return { index: 0, id: "call_1", type: "function", function: { name: "calculator", arguments: parameters } };
}

function whole(response: ServerResponse, message: object, finishReason: string, isStream: boolean): void {
  const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
  const choice = { index: 0, finish_reason: finishReason };
  if (isStream)
    return sendEvents(response, [...inPieces(message), { choices: [{ ...choice, delta: {} }], usage }, "[DONE]"]);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "chat_1", choices: [{ ...choice, message }], usage }));
}

/** Texts come a few characters at a time, so that a key is in several pieces. */
function inPieces(message: object): readonly object[] {
  return Object.entries(message).flatMap(([field, value]: [string, unknown]) =>
    (typeof value === "string" ? (value.match(/.{1,7}/gs) ?? []) : [value]).map((piece) => ({
      choices: [{ index: 0, delta: { [field]: piece }, finish_reason: null }],
    })),
  );
}

function sendEvents(response: ServerResponse, events: readonly (object | string)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = events.map((event) =>
    typeof event === "string" ? event : JSON.stringify({ id: "chat_1", object: "chat.completion.chunk", ...event }),
  );
  response.end(lines.map((line) => `data: ${line}\n\n`).join(""));
}
