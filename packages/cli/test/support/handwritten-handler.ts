import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import type { Defect } from "./defects.ts";

/** What a handler is made with. */
export interface HandwrittenOptions {
  readonly secrets: readonly string[];
  readonly audience?: string;
  /** `ping` gives this instead of the number of its run. */
  readonly constantResult?: string;
}

/** A handler that runs, and how often its tools ran. */
export interface Handwritten {
  readonly url: string;
  readonly runs: () => number;
}

interface Reply {
  readonly status: number;
  readonly json: unknown;
  /** Of a call that was verified: its answer is signed. */
  readonly toolCallId?: string;
  readonly isRetryable?: boolean;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly toolCallId: string | undefined;

  constructor(status: number, code: string, toolCallId?: string) {
    super(code);
    this.status = status;
    this.code = code;
    this.toolCallId = toolCallId;
  }
}

const LIMIT = 1_048_576;
/** Requests in flight that are too many for a handler that can't stand load. */
const LOAD = 10;

/** Starts a handler that holds the contract without the kit, but for one defect. */
export async function startHandwritten(options: HandwrittenOptions, defect?: Defect): Promise<Handwritten> {
  const handler = new HandwrittenHandler(options, defect);
  const server = createServer((request, response) => void handler.handle(request, response));
  const origin = await listenOnLoopback(server);
  return { url: `${origin}/tools`, runs: () => handler.runs };
}

type Call = Readonly<Record<string, unknown>>;

class HandwrittenHandler {
  runs = 0;
  readonly #options: HandwrittenOptions;
  readonly #defect: Defect | undefined;
  readonly #answers = new Map<string, { readonly fingerprint: string; readonly reply: Promise<Reply> }>();
  #queue: Promise<unknown> = Promise.resolve();
  #inFlight = 0;
  /** From {@link LOAD} requests in flight until the last of them has gone. */
  #isOverloaded = false;

  constructor(options: HandwrittenOptions, defect: Defect | undefined) {
    this.#options = options;
    this.#defect = defect;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => {});
    if (this.#defect === "serves one request at a time") {
      this.#queue = this.#queue.then(() => this.#answer(request, response));
      return;
    }
    this.#inFlight += 1;
    if (this.#inFlight >= LOAD) this.#isOverloaded = true;
    await this.#answer(request, response);
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#isOverloaded = false;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body: Buffer = Buffer.alloc(0);
    let reply: Reply;
    try {
      if (request.method === "GET" && this.#defect === "runs on GET") reply = await this.#run({ name: "ping" });
      else if (request.method !== "POST") throw new Refusal(405, "METHOD_NOT_ALLOWED");
      else {
        body = await this.#read(request);
        if (this.#defect === "500 for everything under load") await this.#withstand();
        reply = await this.#serve(request, body);
      }
    } catch (error) {
      reply = this.#refuse(error, body);
    }
    this.#write(reply, response);
  }

  async #withstand(): Promise<void> {
    // As behind a queue: what comes meanwhile counts as well.
    if (this.#inFlight > 1) await new Promise((resolve) => setTimeout(resolve, 50));
    if (this.#isOverloaded) throw new Refusal(500, "INTERNAL");
  }

  async #read(request: IncomingMessage): Promise<Buffer> {
    const limit = this.#defect === "no limit of size" ? Number.POSITIVE_INFINITY : LIMIT;
    if (Number(request.headers["content-length"]) > limit) throw new Refusal(413, "BODY_TOO_LARGE");
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > limit) throw new Refusal(413, "BODY_TOO_LARGE");
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    if (request.headers["content-encoding"] === undefined) return body;
    if (this.#defect === "inflates") return gunzipSync(body);
    throw new Refusal(400, "PAYLOAD_INVALID");
  }

  async #serve(request: IncomingMessage, body: Buffer): Promise<Reply> {
    if (this.#defect === "parsed before it is verified") JSON.parse(body.toString());
    if (this.#defect === "remembered before it is verified") {
      const id = String(request.headers["idempotency-key"]);
      const known = this.#answers.get(id);
      if (known !== undefined) return known.reply;
      const reply = this.#serveNew(request, body).catch((error) => this.#refuse(error, body));
      this.#answers.set(id, { fingerprint: "", reply });
      return reply;
    }
    return this.#serveNew(request, body);
  }

  async #serveNew(request: IncomingMessage, body: Buffer): Promise<Reply> {
    this.#verify(request, body);
    const call = this.#parse(body);
    const toolCallId = String(call["toolCallId"]);
    this.#checkTime(call, toolCallId);
    const { audience } = this.#options;
    if (audience !== undefined && call["audience"] !== audience && this.#defect !== "audience not compared") {
      throw new Refusal(400, "PAYLOAD_INVALID", toolCallId);
    }
    const isKnown = ["ping", "flaky"].includes(String(call["name"])) || this.#defect === "runs any tool";
    if (!isKnown) throw new Refusal(404, "UNKNOWN_TOOL", toolCallId);
    return this.#once(call, toolCallId, request);
  }

  #verify(request: IncomingMessage, body: Buffer): void {
    const header = request.headers["x-ya-signature"];
    const value = Array.isArray(header) ? header.join() : (header ?? "");
    const defect = this.#defect;
    if (defect === "signature not checked") return;
    if (value === "" && defect === "signature checked only if there is one") return;
    if (value === "") throw new Refusal(401, "SIGNATURE_MISSING");
    const expected = this.#expected(body);
    if (defect === "whole header compared") {
      if (expected.includes(value)) return;
      throw new Refusal(401, "SIGNATURE_MISMATCH");
    }
    if (defect === "webhook-signature rescues" && this.#isStandardWebhook(request, body)) return;
    if (defect === "any entry that the right one starts with" && expected.some((entry) => entry.startsWith(value)))
      return;
    const entries = value.split(",").map((entry) => entry.trim());
    const all = defect === "first entry alone" ? entries.slice(0, 1) : entries.filter((entry) => entry !== "");
    const readable = all.filter((entry) => /^sha256=[0-9a-f]{64}$/.test(entry));
    if (readable.length === 0 || all.length > 10) throw new Refusal(401, "SIGNATURE_MALFORMED");
    const isRight = expected.some((right) =>
      readable.some((entry) => timingSafeEqual(Buffer.from(entry), Buffer.from(right))),
    );
    if (!isRight) throw new Refusal(401, "SIGNATURE_MISMATCH");
  }

  /** The entries that are accepted. */
  #expected(body: Buffer): readonly string[] {
    const keys: (string | Buffer)[] = [...this.#options.secrets];
    const [own = ""] = this.#options.secrets;
    if (this.#defect === "decoded secret accepted as key") keys.push(Buffer.from(own.slice(6), "base64"));
    if (this.#defect === "empty secret accepted as key") keys.push("");
    const text =
      this.#defect === "body written again before it is hashed" ? JSON.stringify(JSON.parse(body.toString())) : body;
    return keys.map((key) => `sha256=${createHmac("sha256", key).update(text).digest("hex")}`);
  }

  #isStandardWebhook({ headers }: IncomingMessage, body: Buffer): boolean {
    const [own = ""] = this.#options.secrets;
    const text = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
    const right = createHmac("sha256", Buffer.from(own.slice(6), "base64"))
      .update(text)
      .digest("base64");
    return headers["webhook-signature"] === `v1,${right}`;
  }

  #parse(body: Buffer): Call {
    let call: Call;
    try {
      call = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
    } catch (error) {
      if (this.#defect === "500 for what is no JSON") throw error;
      throw new Refusal(400, "PAYLOAD_INVALID");
    }
    const isObject = typeof call === "object" && call !== null && !Array.isArray(call);
    const ids = { toolCallId: /^tc_\w/, agentId: /^agt_\w/, executionId: /^exec_\w/ };
    const hasIds = isObject && Object.entries(ids).every(([name, id]) => id.test(String(call[name])));
    if (!hasIds || typeof call["name"] !== "string" || !isPlainObject(call["parameters"])) {
      throw new Refusal(400, "PAYLOAD_INVALID");
    }
    if (this.#defect === "unknown fields refused" && Object.keys(call).some((name) => !FIELDS.includes(name))) {
      throw new Refusal(400, "PAYLOAD_INVALID");
    }
    return call;
  }

  #checkTime({ timestamp }: Call, toolCallId: string): void {
    const defect = this.#defect;
    const isReadable = typeof timestamp === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(timestamp);
    if (!isReadable && defect !== "date that can't be read taken for fresh") throw new Refusal(400, "PAYLOAD_INVALID");
    if (defect === "date not checked") return;
    const ageMs = Date.now() - Date.parse(String(timestamp));
    if (ageMs > 300_000) throw new Refusal(401, "TIMESTAMP_TOO_OLD", toolCallId);
    if (ageMs < -300_000 && defect !== "date in the future not checked") {
      throw new Refusal(401, "TIMESTAMP_IN_FUTURE", toolCallId);
    }
  }

  async #once(call: Call, toolCallId: string, request: IncomingMessage): Promise<Reply> {
    const defect = this.#defect;
    const run = () => this.#run(call, toolCallId);
    if (defect === "nothing remembered" || defect === "remembered before it is verified") return run();
    const key = defect === "remembered by Idempotency-Key" ? String(request.headers["idempotency-key"]) : toolCallId;
    const fingerprint = fingerprintOf(call);
    const known = this.#answers.get(key);
    if (known !== undefined) {
      const isSame = known.fingerprint === fingerprint || defect === "parameters not compared";
      if (isSame && defect === "duplicates not signed") {
        const { status, json } = await known.reply;
        return { status, json };
      }
      if (isSame || defect === "remembered by Idempotency-Key") return known.reply;
      throw new Refusal(409, "CALL_CONFLICT", toolCallId);
    }
    const reply = run();
    if (defect === "remembered after the run") await reply;
    this.#answers.set(key, { fingerprint, reply });
    const { isRetryable = false } = await reply;
    if (isRetryable && defect !== "retryable failures remembered") this.#answers.delete(key);
    return reply;
  }

  async #run({ name, attempt }: Call, toolCallId?: string): Promise<Reply> {
    this.runs += 1;
    const { runs } = this;
    // As a tool does that waits for a database.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const own = toolCallId === undefined ? {} : { toolCallId };
    if (name === "flaky" && attempt === 1) {
      return {
        status: 200,
        json: { error: { code: "BUSY", message: "busy", retryable: true } },
        isRetryable: true,
        ...own,
      };
    }
    const { constantResult } = this.#options;
    return { status: 200, json: { result: constantResult ?? { run: runs } }, ...own };
  }

  #refuse(error: unknown, body: Buffer): Reply {
    const { status, code, toolCallId } = error instanceof Refusal ? error : new Refusal(500, "INTERNAL");
    const json = { error: { code, message: this.#messageOf(error, body, code) } };
    const isHidden = this.#defect === "200 for what is refused" && status === 401;
    return { status: isHidden ? 200 : status, json, ...(toolCallId !== undefined && { toolCallId }) };
  }

  #messageOf(error: unknown, body: Buffer, code: string): string {
    const [secret = ""] = this.#options.secrets;
    switch (this.#defect) {
      case "stack traces in answers":
        return error instanceof Error ? (error.stack ?? "") : code;
      case "expected signature in answers":
        return code === "SIGNATURE_MISMATCH"
          ? `expected sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
          : code;
      case "secret in answers":
        return code === "SIGNATURE_MISMATCH" ? `does not match with ${secret}` : code;
      case "payload in answers":
        return `${code}: ${body.subarray(0, 2_000)}`;
      default:
        return code;
    }
  }

  #write({ status, json, toolCallId }: Reply, response: ServerResponse): void {
    if (response.destroyed) return;
    const body = JSON.stringify(json);
    const signature = toolCallId === undefined ? {} : this.#signature(toolCallId, status, body);
    const type = this.#defect === "answers as text" ? "text/plain" : "application/json";
    response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), ...signature });
    response.end(body);
  }

  #signature(toolCallId: string, status: number, body: string): Record<string, string> {
    const [secret = ""] = this.#options.secrets;
    if (this.#defect === "answers not signed") return {};
    const prefixes = new Map<Defect | undefined, string>([
      ["answers signed without the status", `answer.${toolCallId}.`],
      ["answers signed as calls are", ""],
    ]);
    const prefix = prefixes.get(this.#defect) ?? `answer.${toolCallId}.${status}.`;
    return {
      "x-ya-signature": `sha256=${createHmac("sha256", secret)
        .update(prefix + body)
        .digest("hex")}`,
    };
  }
}

const FIELDS = [
  "toolCallId",
  "agentId",
  "executionId",
  "name",
  "parameters",
  "attempt",
  "timestamp",
  "deadline",
  "schemaHash",
  "audience",
  "caller",
];

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fingerprintOf({ name, parameters }: Call): string {
  return createHash("sha256")
    .update(JSON.stringify([name, parameters]))
    .digest("hex");
}
