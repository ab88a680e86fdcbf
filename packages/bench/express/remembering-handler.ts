import { createHash, createHmac, createSecretKey } from "node:crypto";
import type { RequestHandler } from "express";
import { createSynchronousVerifier } from "../verification/synchronous-verifier.ts";

const MAX_REMEMBERED = 10_000;
const KEEP_MS = 600_000;

interface Remembered {
  readonly fingerprint: string;
  readonly expiresAt: number;
  /** Also for calls that arrive while the first still runs. */
  readonly result: Promise<string>;
}

/**
 * A hand-written handler that runs each call once, within its time limit, and signs the response. It runs behind
 * `express.raw`.
 */
export function createRememberingHandler(
  secret: string,
  execute: (parameters: Record<string, unknown>) => Promise<unknown>,
): RequestHandler {
  const verify = createSynchronousVerifier(secret, Date.now);
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  const calls = new Map<string, Remembered>();

  function forgetOld(now: number): void {
    for (const [id, { expiresAt }] of calls) {
      if (calls.size <= MAX_REMEMBERED && expiresAt > now) return;
      calls.delete(id);
    }
  }

  async function run(parameters: Record<string, unknown>, limitMs: number): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error("TIMEOUT")), limitMs);
    });
    try {
      return JSON.stringify({ result: await Promise.race([execute(parameters), timeout]) });
    } finally {
      clearTimeout(timer);
    }
  }

  return async (request, response) => {
    const call = verify(request.get("x-ya-signature") ?? "", request.body);
    const id = String(call["toolCallId"]);
    const parameters = call["parameters"] as Record<string, unknown>;
    const fingerprint = createHash("sha256")
      .update(JSON.stringify([call["name"], parameters]))
      .digest("hex");
    const now = Date.now();
    forgetOld(now);
    let known = calls.get(id);
    if (known === undefined) {
      const limitMs = Date.parse(String(call["deadline"])) - Date.parse(String(call["timestamp"]));
      known = { fingerprint, expiresAt: now + KEEP_MS, result: run(parameters, limitMs) };
      calls.set(id, known);
    }
    if (known.fingerprint !== fingerprint) {
      response.status(409).json({ error: { code: "CALL_CONFLICT", message: "the id belongs to another call" } });
      return;
    }
    const body = Buffer.from(await known.result);
    const signature = createHmac("sha256", key).update(`answer.${id}.200.`).update(body).digest("hex");
    response.set("X-YA-Signature", `sha256=${signature}`).type("application/json").send(body);
  };
}
