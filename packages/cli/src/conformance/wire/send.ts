import http from "node:http";
import https from "node:https";
import { type Exchange, MAX_ANSWER_BYTES, type Message, type Sending } from "./exchange.ts";

/** Sends one request on a separate connection and waits for the outcome. Never rejects. */
export function send(target: URL, message: Message, timeoutMs: number): Promise<Exchange> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  return new Promise((resolve) => {
    const request = begin(target, message);
    const timer = setTimeout(() => {
      resolve({ kind: "silent", tookMs: tookMs() });
      request.destroy();
    }, timeoutMs);
    const settle = (exchange: Exchange) => {
      clearTimeout(timer);
      resolve(exchange);
      request.destroy();
    };
    let isAnswered = false;
    const close = (code: string) => {
      // The part of a response that has been read counts, even if the server closes the connection while the request is
      // being sent.
      if (!isAnswered) settle({ kind: "closed", code, tookMs: tookMs() });
    };
    request.on("response", (response) => {
      isAnswered = true;
      void readBody(response).then((body) => {
        const { statusCode = 0 } = response;
        settle({ kind: "answer", status: statusCode, headers: toHeaders(response), body, tookMs: tookMs() });
      });
    });
    request.on("error", (error) => close(codeOf(error)));
    request.on("close", () => close("ECONNRESET"));
    write(request, message.body ?? new Uint8Array(), message.sending);
  });
}

function begin(target: URL, { method = "POST", headers, body, sending }: Message): http.ClientRequest {
  const lines = [["host", target.host], ...headers.map(([name, value]) => [name, toHeaderText(value)])];
  if (sending?.kind === "chunked") lines.push(["transfer-encoding", "chunked"]);
  else if (body !== undefined || method === "POST") lines.push(["content-length", String(lengthOf(body, sending))]);
  const client = target.protocol === "https:" ? https : http;
  const options = { method, headers: lines.flat(), agent: false, setHost: false } as const;
  return client.request(target, options);
}

function lengthOf(body: Uint8Array | undefined, sending: Sending | undefined): number {
  return sending?.kind === "announced" ? sending.contentLength : (body?.byteLength ?? 0);
}

/** Header values are bytes; Node writes each character as one. */
function toHeaderText(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}

function write(request: http.ClientRequest, body: Uint8Array, sending: Sending | undefined): void {
  switch (sending?.kind) {
    case undefined:
    case "chunked":
      request.end(body);
      return;
    case "announced":
      request.flushHeaders();
      request.write(body);
      return;
    case "held":
      request.write(body.subarray(0, -1), sending.onHeld);
      void sending.until.then(() => request.end(body.subarray(-1)));
      return;
    case "slow":
      drip(request, body, sending);
      return;
    case "aborted":
      request.write(body.subarray(0, sending.afterBytes), () => request.destroy());
  }
}

type Slow = Extract<Sending, { kind: "slow" }>;

function drip(request: http.ClientRequest, body: Uint8Array, { pauseMs, until, onStarted = () => {} }: Slow): void {
  let sent = 0;
  const next = (written?: () => void) => {
    if (sent >= body.byteLength || request.destroyed) clearInterval(timer);
    else request.write(body.subarray(sent, sent + 1), written);
    sent += 1;
  };
  const timer = setInterval(next, pauseMs);
  next(onStarted);
  request.on("close", () => clearInterval(timer));
  void until?.then(() => request.destroy());
}

async function readBody(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(Buffer.from(chunk));
      size += chunks.at(-1)?.byteLength ?? 0;
      if (size > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The connection ended within the response: the part that arrived is judged.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
}

function toHeaders({ headers }: http.IncomingMessage): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
}
