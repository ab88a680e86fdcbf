import type { Ending, EntryTable, NewClaim, Sight } from "../shared/entry-table.ts";
import type { CallOutcome, Claim } from "../store.ts";
import type { RedisClient } from "./client.ts";
import { isTransient } from "./is-transient.ts";
import type { RedisScript } from "./script.ts";
import { CLAIM, END, LOOK } from "./scripts.ts";

/** The entries in Redis: each entry is a hash that the server removes when it expires. */
export class RedisEntryTable implements EntryTable {
  readonly isTransient = isTransient;
  readonly #client: RedisClient;
  readonly #keyPrefix: string;

  constructor(client: RedisClient, keyPrefix: string) {
    this.#client = client;
    this.#keyPrefix = keyPrefix;
  }

  async claim({ key, fingerprint, holder, lapsesAfterMs, keepForMs }: NewClaim): Promise<Claim> {
    const answer = await this.#run(CLAIM, key, [fingerprint, holder, String(lapsesAfterMs), String(keepForMs)]);
    const [state, ...rest] = toTexts(answer);
    switch (state) {
      case "claimed":
        return { state, holder };
      case "finished":
        return { state, outcome: toOutcome(rest) };
      case "in_flight":
      case "conflict":
        return { state };
      default:
        throw unexpected();
    }
  }

  async end({ key, holder, outcome, isFinal }: Ending): Promise<boolean> {
    const ended = outcome === undefined ? [] : [String(outcome.status), String(outcome.attempt), outcome.body];
    const answer = await this.#run(END, key, [holder, isFinal ? "finished" : "released", ...ended]);
    return Number(answer) === 1;
  }

  async look(key: string): Promise<Sight> {
    const [state, ...rest] = toTexts(await this.#run(LOOK, key, []));
    if (state === "running") return { state, lapsesInMs: Number(rest[0]) };
    return { state: "ended", outcome: rest.length === 0 ? undefined : toOutcome(rest) };
  }

  #run(script: RedisScript, key: string, values: readonly string[]): Promise<unknown> {
    return script.run(this.#client, `${this.#keyPrefix}${key}`, values);
  }
}

function toOutcome([status, attempt, body]: readonly string[]): CallOutcome {
  if (body === undefined) throw unexpected();
  return { status: Number(status), attempt: Number(attempt), body };
}

function toTexts(answer: unknown): readonly string[] {
  if (Array.isArray(answer) && answer.every((item) => typeof item === "string")) return answer;
  throw unexpected();
}

function unexpected(): Error {
  return new TypeError("the idempotency store expected strings from Redis, but the client returned another type");
}
