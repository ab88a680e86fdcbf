import net from "node:net";
import tls from "node:tls";
import { withoutBrackets } from "@yagate/lib/hosts/host-name";
import { type Exchange, MAX_ANSWER_BYTES } from "./exchange.ts";

const HEAD = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n([\s\S]*?)\r\n\r\n/;

/**
 * Sends raw bytes, for requests that no HTTP client can send, and reads until the server closes the connection or
 * {@link MAX_ANSWER_BYTES} have arrived. Never rejects.
 */
export function sendRaw(target: URL, text: string, timeoutMs: number): Promise<Exchange> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  const isTls = target.protocol === "https:";
  const port = Number(target.port || (isTls ? 443 : 80));
  const host = withoutBrackets(target.hostname);
  return new Promise((resolve) => {
    const socket = isTls ? tls.connect({ host, port, servername: host }) : net.connect(port, host);
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => settle(), timeoutMs);
    const settle = (code?: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(toExchange(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), code, tookMs()));
    };
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MAX_ANSWER_BYTES) settle();
    });
    socket.on("close", () => settle("ECONNRESET"));
    socket.on("error", (error) => settle("code" in error ? String(error.code) : "UNKNOWN"));
    socket.write(text);
  });
}

function toExchange(bytes: Buffer, code: string | undefined, tookMs: number): Exchange {
  const [head, status, lines = ""] = HEAD.exec(bytes.toString("latin1")) ?? [];
  if (head === undefined) return code === undefined ? { kind: "silent", tookMs } : { kind: "closed", code, tookMs };
  const headers = lines.split("\r\n").map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name.toLowerCase(), value.join(":").trim()];
  });
  return {
    kind: "answer",
    status: Number(status),
    headers: new Map(headers),
    body: bytes.subarray(head.length),
    tookMs,
  };
}
