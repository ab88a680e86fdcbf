import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A server that speaks OpenAI's chat completions and says "ok". */
export interface ModelServer {
  /** Its base URL. */
  readonly url: string;
  /** The header Authorization of each request. */
  readonly keys: readonly (string | undefined)[];
  /** Refuses every key from now on, and quotes it. */
  refuseKeys(): void;
}

const opened: Server[] = [];
afterAll(() => {
  for (const server of opened) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts one that lives as long as the tests of its file. */
export async function startModelServer(): Promise<ModelServer> {
  const keys: (string | undefined)[] = [];
  let isRefusing = false;
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume().on("end", () => {
      const message = { role: "assistant", content: "ok" };
      const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
      const answer = { id: "chat_1", choices: [{ index: 0, message, finish_reason: "stop" }], usage };
      const refusal = { error: { message: `Incorrect API key provided: ${keys.at(-1)}`, type: "auth" } };
      response.writeHead(isRefusing ? 401 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isRefusing ? refusal : answer));
    });
  });
  opened.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keys,
    refuseKeys() {
      isRefusing = true;
    },
  };
}
