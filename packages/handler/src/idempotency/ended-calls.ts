import { Queue } from "./queue.ts";
import type { CallOutcome } from "./store.ts";

/** A call that is not running. */
export interface EndedCall {
  readonly key: string;
  readonly fingerprint: string;
  /** Identifies the claim under which the call last ran. */
  readonly holder: string;
  readonly keepForMs: number;
  readonly expiresAtMs: number;
  /** The final outcome; absent if the call was released. */
  readonly outcome: CallOutcome | undefined;
}

/** Calls that are not running, in the order in which they ended. */
export class EndedCalls {
  readonly #calls = new Map<string, EndedCall>();
  /** May still contain calls that were claimed again after they had ended. */
  readonly #order = new Queue<EndedCall>();
  #characters = 0;

  get size(): number {
    return this.#calls.size;
  }

  /** Total length of the stored responses in UTF-16 code units. */
  get characters(): number {
    return this.#characters;
  }

  get(key: string): EndedCall | undefined {
    return this.#calls.get(key);
  }

  add(call: EndedCall): void {
    this.remove(call.key);
    this.#calls.set(call.key, call);
    this.#order.push(call);
    this.#characters += call.outcome?.body.length ?? 0;
  }

  remove(key: string): void {
    this.#characters -= this.#calls.get(key)?.outcome?.body.length ?? 0;
    this.#calls.delete(key);
  }

  /** Forgets the oldest ended calls as long as the condition is true. */
  forgetWhile(condition: (oldest: EndedCall) => boolean): void {
    for (let oldest = this.#order.peek(); oldest !== undefined; oldest = this.#order.peek()) {
      if (this.#calls.get(oldest.key) === oldest) {
        if (!condition(oldest)) return;
        this.remove(oldest.key);
      }
      this.#order.drop();
    }
  }
}
