import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModels } from "../../src/create-models.ts";
import type { AssistantPart, ModelTurn } from "../../src/port.ts";
import { turnRequest } from "../support/turn-request.ts";
import { CALL_QUIRKS } from "./call-quirks.ts";
import { sse } from "./quirk.ts";
import { STREAM_QUIRKS } from "./stream-quirks.ts";
import { TEXT_QUIRKS } from "./text-quirks.ts";

let answer = { type: "", body: "" };
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "content-type": answer.type }).end(answer.body));
});
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a server with a port");
  url = `http://127.0.0.1:${address.port}/v1`;
});
afterAll(() => server.close());

const QUIRKS = [...TEXT_QUIRKS, ...CALL_QUIRKS, ...STREAM_QUIRKS];

async function ask(type: string, body: string, isStreamed: boolean): Promise<{ turn: ModelTurn; deltas: string }> {
  answer = { type, body };
  let deltas = "";
  const onTextDelta = (text: string) => {
    deltas += text;
  };
  const models = createModels({ providers: { house: { baseUrl: url } }, fetch });
  const turn = await models.runTurn(turnRequest({ model: "house/model", ...(isStreamed ? { onTextDelta } : {}) }));
  return { turn, deltas };
}

const thoughtsOf = (parts: readonly AssistantPart[]) =>
  parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join(" ");

describe("quirks of servers that are compatible with chat completions", () => {
  it("are at least 74, and all different", () => {
    expect(QUIRKS.length).toBeGreaterThanOrEqual(74);
    expect(new Set(QUIRKS.map(({ name }) => name)).size).toBe(QUIRKS.length);
    expect(new Set(QUIRKS.map(({ whole, streamed }) => whole + streamed)).size).toBe(QUIRKS.length);
  });

  it("do not make an answer of a stream that broke off", async () => {
    const cutOff = sse({ choices: [{ index: 0, delta: { content: "It was " } }] });
    await expect(ask("application/json", cutOff, false)).rejects.toMatchObject({ code: "MODEL_ERROR" });
    await expect(ask("text/event-stream", cutOff, true)).rejects.toMatchObject({ code: "MODEL_ERROR" });
  });

  it.each(QUIRKS.map((quirk) => [quirk.name, quirk] as const))("%s", async (_name, quirk) => {
    const { thoughts, ...expected } = quirk.expected;
    const whole = await ask("application/json", quirk.whole, false);
    const streamed = await ask("text/event-stream", quirk.streamed, true);
    for (const { turn } of [whole, streamed]) {
      expect(turn).toMatchObject(expected);
      if (thoughts !== undefined) expect(thoughtsOf(turn.parts)).toBe(thoughts);
      const ids = turn.toolCalls.map(({ providerCallId }) => providerCallId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain("");
    }
    expect(streamed.deltas).toBe(streamed.turn.text);
  });
});
