import { messageOf } from "../../error-message.ts";
import type { RedisClient } from "./client.ts";

/**
 * A Lua script that uses only one key, so it runs on any cluster. Its source is sent only to servers that do not have
 * it yet.
 */
export class RedisScript {
  readonly #source: string;
  #sha1: Promise<string> | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  async run(client: RedisClient, key: string, values: readonly string[]): Promise<unknown> {
    this.#sha1 ??= sha1(this.#source);
    const sha1OfSource = await this.#sha1;
    try {
      return await evaluate(client, "sha1", sha1OfSource, key, values);
    } catch (error) {
      if (!messageOf(error).startsWith("NOSCRIPT")) throw error;
      return evaluate(client, "source", this.#source, key, values);
    }
  }
}

function evaluate(
  client: RedisClient,
  form: "sha1" | "source",
  text: string,
  key: string,
  values: readonly string[],
): Promise<unknown> {
  if ("evalSha" in client) {
    const options = { keys: [key], arguments: [...values] };
    return form === "sha1" ? client.evalSha(text, options) : client.eval(text, options);
  }
  return form === "sha1" ? client.evalsha(text, 1, key, ...values) : client.eval(text, 1, key, ...values);
}

async function sha1(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
