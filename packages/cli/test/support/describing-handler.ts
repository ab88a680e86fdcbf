import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { SECRET } from "./signed-request.ts";

/** What a handler that describes its tools can do wrong. */
export type DescribeDefect =
  | "describes to anyone"
  | "age not checked"
  | "audience not compared"
  | "describes what is signed as a call"
  | "runs what is signed as a describe request"
  | "runs describe requests"
  | "describes calls that look like it"
  | "id not required"
  | "no limit of size"
  | "manifest not signed"
  | "manifest signed without its status"
  | "manifest signed for another request"
  | "manifest signed as the answer to a call"
  | "a tool too few"
  | "a description of 5 KiB"
  | "an approval mode in a tool"
  | "a URL in the manifest"
  | "errors not signed"
  | "500 instead of a manifest";

interface Reply {
  readonly status: number;
  readonly json: unknown;
  readonly signedText?: string;
}

const AUDIENCE = "https://orders.example.com/tools";
const ping = { name: "ping", description: "Counts its runs.", parameters: { type: "object" } };

/** Starts a handler that describes its tools without the kit, with at most one defect. A GET tells how often it ran. */
export async function startDescribing(defect?: DescribeDefect): Promise<string> {
  let runs = 0;
  const run = (): Reply => {
    runs += 1;
    return { status: 200, json: { result: { run: runs } } };
  };
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return response.end(String(runs));
    const { status, json, signedText } = await answer(request, run, defect);
    const body = JSON.stringify(json);
    const signature = signedText === undefined ? {} : { "x-ya-signature": sign(signedText + body) };
    response.writeHead(status, { "content-type": "application/json", ...signature }).end(body);
  });
  return `${await listenOnLoopback(server)}/tools`;
}

function sign(...parts: readonly (string | Buffer)[]): string {
  const hmac = createHmac("sha256", SECRET);
  for (const part of parts) hmac.update(part);
  return `sha256=${hmac.digest("hex")}`;
}

const refusal = (status: number, code: string): Reply => ({ status, json: { error: { code, message: code } } });

async function answer(request: IncomingMessage, run: () => Reply, defect: DescribeDefect | undefined): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (body.byteLength > 1_048_576 && defect !== "no limit of size") return refusal(413, "BODY_TOO_LARGE");
  const header = request.headers["x-ya-signature"];
  const isDescribe = header === sign("describe.", body) || defect === "describes to anyone";
  if (header !== sign(body) && !isDescribe) return refusal(401, "SIGNATURE_MISMATCH");
  const fields: Readonly<Record<string, unknown>> = JSON.parse(body.toString());
  const isCall = typeof fields["toolCallId"] === "string";
  if (header === sign(body)) {
    if (fields["type"] === "describe" && defect === "describes calls that look like it")
      return describe(fields, defect);
    if (isCall) return run();
    return defect === "describes what is signed as a call" ? describe(fields, defect) : refusal(400, "PAYLOAD_INVALID");
  }
  if (isCall && defect === "runs what is signed as a describe request") return run();
  const described = describe(fields, defect);
  if (described.status === 200 && defect === "runs describe requests") run();
  return described;
}

function describe(fields: Readonly<Record<string, unknown>>, defect: DescribeDefect | undefined): Reply {
  const { type, requestId, timestamp, audience } = fields;
  const isIdentified = typeof requestId === "string" || defect === "id not required";
  if (type !== "describe" || !isIdentified) return refusal(400, "PAYLOAD_INVALID");
  const signed = (reply: Reply): Reply => ({ ...reply, ...signedTextOf(String(requestId), reply.status, defect) });
  const isFresh = Math.abs(Date.now() - Date.parse(String(timestamp))) <= 300_000;
  if (!isFresh && defect !== "age not checked") {
    const tooOld = refusal(401, "TIMESTAMP_TOO_OLD");
    return defect === "errors not signed" ? tooOld : signed(tooOld);
  }
  if (audience !== AUDIENCE && defect !== "audience not compared") return signed(refusal(400, "PAYLOAD_INVALID"));
  if (defect === "500 instead of a manifest") return signed(refusal(500, "MANIFEST_INVALID"));
  return signed({ status: 200, json: manifestWith(defect) });
}

function signedTextOf(requestId: string, status: number, defect: DescribeDefect | undefined) {
  switch (defect) {
    case "manifest not signed":
      return {};
    case "manifest signed without its status":
      return { signedText: `manifest.${requestId}.` };
    case "manifest signed for another request":
      return { signedText: `manifest.dsc_1.${status}.` };
    case "manifest signed as the answer to a call":
      return { signedText: `answer.${requestId}.${status}.` };
    default:
      return { signedText: `manifest.${requestId}.${status}.` };
  }
}

function manifestWith(defect: DescribeDefect | undefined) {
  const tools = new Map<DescribeDefect | undefined, object>([
    ["a tool too few", { ...ping, name: "pong" }],
    ["a description of 5 KiB", { ...ping, description: "x".repeat(5_120) }],
    ["an approval mode in a tool", { ...ping, approval: "never" }],
  ]);
  const url = defect === "a URL in the manifest" ? { url: AUDIENCE } : {};
  return { protocolVersion: 1, tools: [tools.get(defect) ?? ping], ...url };
}
