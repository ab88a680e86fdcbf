import { once } from "node:events";
import { createServer } from "node:http";

/** One answer of the server; the last one is repeated. */
export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, texts as server-sent events, one `data:` each. */
  readonly body: object | readonly string[];
  /** Drops the connection after the body instead of ending it. */
  readonly isCutOff?: boolean;
}

/** A server that writes a provider's wire format word for word. */
export async function startWireServer(answers: readonly WireAnswer[]) {
  let served = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const answer: WireAnswer = answers[Math.min(served++, answers.length - 1)] ?? { body: {} };
      const { status = 200, headers = {}, body, isCutOff = false } = answer;
      const isStream = Array.isArray(body);
      const text = isStream ? body.map((data) => `data: ${data}\n\n`).join("") : JSON.stringify(body);
      const type = isStream ? "text/event-stream" : "application/json";
      response.writeHead(status, { "content-type": type, ...headers });
      response.write(text, () => (isCutOff ? response.destroy() : response.end()));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
    get served() {
      return served;
    },
  };
}
