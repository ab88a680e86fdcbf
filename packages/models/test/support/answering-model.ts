import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProvidersSettings } from "../../src/provider-settings.ts";
import { anthropic } from "./wires/anthropic.ts";
import type { WireContent } from "./wires/wire-format.ts";

/** What a request to the model held. */
export interface AskedRequest {
  readonly system: string;
  /** Of the last message. */
  readonly text: string;
  readonly hasTools: boolean;
  readonly messages: number;
  readonly maxTokens: number | undefined;
  readonly body: string;
}

export interface ModelAnswer {
  readonly content?: WireContent;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server that speaks Anthropic's messages, and says what a test wants. Each answer counts 11 tokens in and 7 out. */
export interface AnsweringModel {
  readonly model: string;
  readonly providers: ProvidersSettings;
  /** Of every request, in the order in which they came. */
  readonly requests: readonly AskedRequest[];
  /** The requests that tools made: those without tools. */
  readonly questions: readonly AskedRequest[];
  /** Resolves once so many questions came in. */
  asked(count: number): Promise<void>;
  /** The same for requests of any kind. */
  requested(count: number): Promise<void>;
  /** Questions whose sender went away before they were answered. */
  readonly abandoned: number;
  stop(): Promise<void>;
}

/** 11 tokens read and 7 written, at 3 and 15 USD a million. */
export const ANSWER_COST_USD = 0.000138;

type Reply = ModelAnswer | "hold";

interface WantedCall {
  readonly name: string;
  readonly parameters: object;
}

/**
 * @param options.calls - what the model calls in its first turn, or in each; it says "done" in a turn without calls.
 * @param options.answer - to the question of a tool, the number of questions before it given. `hold`: none, ever.
 */
export async function startAnsweringModel(options: {
  readonly calls: readonly WantedCall[] | ((request: AskedRequest, turn: number) => readonly WantedCall[]);
  readonly answer: (question: AskedRequest, index: number) => Reply | Promise<Reply>;
}): Promise<AnsweringModel> {
  const requests: AskedRequest[] = [];
  const questions: AskedRequest[] = [];
  const listeners = new Set<() => void>();
  let abandoned = 0;

  async function reply(request: AskedRequest, index: number): Promise<Reply> {
    if (!request.hasTools) return options.answer(request, index);
    const turn = (request.messages + 1) / 2;
    const wanted = typeof options.calls === "function" ? options.calls(request, turn) : turn === 1 ? options.calls : [];
    const calls = wanted.map(({ name, parameters }, at) => ({
      id: `toolu_${turn}_${at}`,
      name,
      arguments: JSON.stringify(parameters),
    }));
    return { content: calls.length > 0 ? { calls, end: "complete" } : { text: "done", end: "complete" } };
  }

  function until(hasCome: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!hasCome()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", async () => {
      const request = toRequest(Buffer.concat(chunks).toString());
      requests.push(request);
      const index = questions.length;
      if (!request.hasTools) questions.push(request);
      response.on("close", () => {
        if (!response.writableEnded) abandoned += 1;
        for (const listener of listeners) listener();
      });
      for (const listener of listeners) listener();
      const answer = await reply(request, index);
      if (answer !== "hold") send(response, answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    model: anthropic.model,
    providers: anthropic.settings(`http://127.0.0.1:${port}`),
    requests,
    questions,
    get abandoned() {
      return abandoned;
    },
    asked: (count) => until(() => questions.length >= count),
    requested: (count) => until(() => requests.length >= count),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { content, status = 200, headers = {} }: ModelAnswer): void {
  const body = content === undefined ? anthropic.refusal({ status, message: "not now" }) : anthropic.whole?.(content);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

interface MessagesBody {
  readonly system?: string | readonly { readonly text: string }[];
  readonly messages: readonly { readonly content: string | readonly { readonly text?: string }[] }[];
  readonly tools?: readonly unknown[];
  readonly max_tokens?: number;
}

function toRequest(body: string): AskedRequest {
  const { system = "", messages, tools = [], max_tokens: maxTokens }: MessagesBody = JSON.parse(body);
  return {
    system: textOf(system),
    text: textOf(messages.at(-1)?.content ?? ""),
    hasTools: tools.length > 0,
    messages: messages.length,
    maxTokens,
    body,
  };
}

function textOf(content: string | readonly { readonly text?: string }[]): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}
