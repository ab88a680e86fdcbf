import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../../services/listen-on-loopback.ts";

/** A call as the model writes it: `arguments` is text, JSON or not. */
export interface WireCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: string;
}

/** One answer of the model. */
export interface WireTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly WireCall[];
  /** What the model says of its end; by default what is true. */
  readonly finish?: string | null;
  /** The value of `usage`, as text; by default 11 and 7 tokens. */
  readonly usage?: string;
  /** Instead of an answer: these bytes. */
  readonly raw?: { readonly status?: number; readonly type?: string; readonly body: string };
  /** Drops the connection after so many pieces of a streamed answer. */
  readonly cutAfterPieces?: number;
  /** Answers when the request is given up, which is never. */
  readonly isSilent?: boolean;
}

/** A message of a request, as the wire has it. */
export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

export interface WireRequest {
  /** Every byte, for whoever looks for what must not be there. */
  readonly text: string;
  readonly messages: readonly WireMessage[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

export interface ModelServer {
  /** To be set as the provider's base URL. */
  readonly url: string;
  readonly requests: readonly WireRequest[];
}

/** What the model answers, perhaps only once it has read what it is asked. */
export type Played = WireTurn | ((request: WireRequest) => WireTurn);

/** A server that speaks OpenAI's chat completions and plays these turns; the last one again and again. */
export async function startModelServer(turns: readonly Played[]): Promise<ModelServer> {
  const requests: WireRequest[] = [];
  const server = createServer(async (request, response) => {
    const text = await read(request);
    const { messages = [], tools = [], stream = false } = JSON.parse(text);
    const turn = turns[Math.min(requests.length, turns.length - 1)] ?? {};
    const asked = { text, messages, tools };
    requests.push(asked);
    answer(response, typeof turn === "function" ? turn(asked) : turn, stream);
  });
  const origin = await listenOnLoopback(server);
  return { url: `${origin}/v1`, requests };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function answer(response: ServerResponse, turn: WireTurn, isStreamed: boolean): void {
  if (turn.isSilent === true) return;
  if (turn.raw !== undefined) {
    const { status = 200, type = "application/json", body } = turn.raw;
    response.writeHead(status, { "content-type": type }).end(body);
    return;
  }
  if (!isStreamed) {
    response.writeHead(200, { "content-type": "application/json" }).end(whole(turn));
    return;
  }
  const pieces = streamed(turn);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const kept = pieces.slice(0, turn.cutAfterPieces ?? pieces.length);
  response.write(kept.map((data) => `data: ${data}\n\n`).join(""), () => {
    if (turn.cutAfterPieces === undefined) response.end();
    else response.destroy();
  });
}

const PLACE = { id: "chat_1", created: 1, model: "hostile" };
const USAGE = '{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}';

function finishOf({ finish, calls = [] }: WireTurn): string | null {
  return finish === undefined ? (calls.length > 0 ? "tool_calls" : "stop") : finish;
}

function wireCalls({ calls = [] }: WireTurn) {
  return calls.map((call, index) => ({
    index,
    id: call.id ?? `call_${index}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
}

// Put together as text, since some of what a hostile model says is no JSON value.
function whole(turn: WireTurn): string {
  const message = {
    role: "assistant",
    content: turn.text ?? null,
    ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
    ...(turn.calls === undefined ? {} : { tool_calls: wireCalls(turn) }),
  };
  const choices = JSON.stringify([{ index: 0, message, finish_reason: finishOf(turn) }]);
  return `{"id":"chat_1","created":1,"model":"hostile","choices":${choices},"usage":${turn.usage ?? USAGE}}`;
}

function streamed(turn: WireTurn): readonly string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    JSON.stringify({ ...PLACE, choices: [{ index: 0, delta, finish_reason: finish }] });
  const ofCall = ({ function: { name, arguments: text }, ...rest }: ReturnType<typeof wireCalls>[number]) => {
    const half = Math.ceil(text.length / 2);
    return [
      chunk({ tool_calls: [{ ...rest, function: { name, arguments: text.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index: rest.index, function: { arguments: text.slice(half) } }] }),
    ];
  };
  return [
    chunk({ role: "assistant" }),
    ...(turn.text === undefined ? [] : [chunk({ content: turn.text })]),
    ...wireCalls(turn).flatMap(ofCall),
    chunk({}, finishOf(turn)),
    `{"id":"chat_1","created":1,"model":"hostile","choices":[],"usage":${turn.usage ?? USAGE}}`,
    "[DONE]",
  ];
}
