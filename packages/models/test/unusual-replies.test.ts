import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import { turnRequest } from "./support/turn-request.ts";

let body = "";
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("expected a server with a port");
const place = { apiKey: "sk-test-0123456789", baseUrl: `http://127.0.0.1:${address.port}/v1` };
afterAll(() => server.close());

const NAME = "orders_lookup";
const CHAT = {
  id: "chat_1",
  choices: [{ message: { tool_calls: [{ id: "a", function: { name: NAME, arguments: "null" } }] } }],
};
const MESSAGE = {
  ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "tool_use" },
  content: [{ type: "tool_use", id: "a", name: NAME, input: null }],
  usage: { input_tokens: 11, output_tokens: 7 },
};

describe.each([
  ["whole", {}],
  ["streamed", { onTextDelta: () => {} }],
] as const)("a reply to a request for a %s one", (_form, listener) => {
  const run = (model: string, fetch = globalThis.fetch) =>
    createModels({ providers: { house: place, anthropic: place }, fetch }).runTurn(turnRequest({ model, ...listener }));

  it.each([
    ["chat completions", "house/model", CHAT],
    ["Anthropic's messages", "anthropic/claude-sonnet-4-5", MESSAGE],
  ])("may give a call null for its arguments, which are none: %s", async (_format, model, reply) => {
    body = JSON.stringify(reply);
    const { toolCalls } = await run(model);
    expect(toolCalls.map(({ parameters }) => parameters)).toEqual([{}]);
  });

  it("is not asked for again when it is a page", async () => {
    body = "<html>planted</html>";
    await expect(run("house/model")).rejects.toMatchObject({
      code: "MODEL_ERROR",
      isRetryable: false,
      developerMessage: expect.stringContaining("a page of HTML or XML"),
    });
  });

  it("fails when it is a page although a wrapper of fetch keeps a copy of it", async () => {
    body = "<html>planted</html>";
    const kept: Response[] = [];
    const keepingFetch: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      kept.push(response.clone());
      return response;
    };
    await expect(run("house/model", keepingFetch)).rejects.toMatchObject({ code: "MODEL_ERROR" });
    expect(kept).toHaveLength(1);
  });
});
