import { createServer, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../../services/listen-on-loopback.ts";

/** An answer that a test has its model write word by word. */
export interface WritingTurn {
  /** Whether the model was asked to stream. */
  readonly isStreamed: boolean;
  write(text: string): void;
  end(): void;
}

/** A model that calls a tool first and then writes what the test says. */
export interface WritingModel {
  /** To be set as the base URL of the provider `openai`. */
  readonly url: string;
  /** The turn number `index` (from 0) of those after the calls, once it was asked for. */
  turn(index: number): Promise<WritingTurn>;
}

const PLACE = { id: "chat_1", created: 1, model: "writer" };
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const CALL = {
  index: 0,
  id: "call_0",
  type: "function",
  function: { name: "lookup_order", arguments: '{"orderId":"ORD-7"}' },
};

/** A server that speaks OpenAI's chat completions. */
export async function startWritingModel(): Promise<WritingModel> {
  const turns: WritingTurn[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages, stream = false } = JSON.parse(Buffer.concat(chunks).toString());
    const turn = answering(response, stream);
    if (!messages.some(({ role }: { role: string }) => role === "tool")) {
      turn.call();
      return;
    }
    turns.push(turn);
    for (const wake of waiting.splice(0)) wake();
  });
  const origin = await listenOnLoopback(server);
  return {
    url: `${origin}/v1`,
    async turn(index) {
      for (;;) {
        const turn = turns[index];
        if (turn !== undefined) return turn;
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
      }
    },
  };
}

function answering(response: ServerResponse, isStreamed: boolean): WritingTurn & { call(): void } {
  response.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
  let text = "";
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ ...PLACE, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  const finish = (reason: string, message: object) => {
    if (!isStreamed) {
      const choices = [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: reason }];
      response.end(JSON.stringify({ ...PLACE, choices, usage: USAGE }));
      return;
    }
    send({}, reason);
    response.end(`data: ${JSON.stringify({ ...PLACE, choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`);
  };
  return {
    isStreamed,
    write(piece) {
      text += piece;
      if (isStreamed) send({ content: piece });
    },
    end: () => finish("stop", { content: text }),
    call() {
      if (isStreamed) send({ tool_calls: [CALL] });
      finish("tool_calls", { tool_calls: [CALL] });
    },
  };
}
