import http from "node:http";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";

/** One request as it arrived. */
export interface ReceivedCallback {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What is done with the next request: it is answered, or its connection is cut. */
export type NextAnswer = { status: number; headers?: http.OutgoingHttpHeaders; body?: string } | "cut" | "silence";

/** Takes callbacks on a port of its own, and answers them in turn; all after the last one are answered 200. */
export async function startCallbackServer(...answers: readonly NextAnswer[]) {
  const received: ReceivedCallback[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    const answer = answers[received.length - 1] ?? { status: 200 };
    if (answer === "cut") request.socket.destroy();
    else if (answer !== "silence") response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const origin = await listenOnLoopback(server);
  const url = `${origin}/v1/callbacks/tc_1`;
  return { callback: { url, token: "eyJ.token-1._", toolCallId: "tc_1" }, received };
}
