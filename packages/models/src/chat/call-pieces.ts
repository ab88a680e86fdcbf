import { type ChatCall, readCalls, UNNAMED } from "./repaired-calls.ts";

/**
 * Orders the chunks of the tool calls in a stream, so that each call has an index and its first chunk contains its
 * name.
 */
export class CallPieces {
  readonly #places = new Map<string, number>();
  readonly #named = new Set<number>();
  readonly #unnamed = new Map<number, ChatCall>();
  #last = -1;
  #next = 0;

  /** Whether any call has started. */
  get hasBegun(): boolean {
    return this.#next > 0;
  }

  take(said: Readonly<Record<string, unknown>>): readonly ChatCall[] {
    return readCalls(said).flatMap(({ hasIndex, ...call }) => {
      const index = hasIndex ? call.index : this.#placeOf(call);
      this.#last = index;
      this.#next = Math.max(this.#next, index + 1);
      if (call.id !== null) this.#places.set(call.id, index);
      return this.#inOrder({ ...call, index });
    });
  }

  /** Returns the calls that still have no name at the end of the stream, with the name {@link UNNAMED}. */
  end(): readonly ChatCall[] {
    const rest = [...this.#unnamed.values()];
    this.#unnamed.clear();
    return rest.map((call) => ({ ...call, function: { ...call.function, name: UNNAMED } }));
  }

  #placeOf({ id, function: { name } }: ChatCall): number {
    const known = id === null ? undefined : this.#places.get(id);
    if (known !== undefined) return known;
    return name !== null || id !== null || this.#last < 0 ? this.#next : this.#last;
  }

  /** Holds back the chunks of a call until the one with its name arrives. */
  #inOrder(call: ChatCall): readonly ChatCall[] {
    const { index } = call;
    if (this.#named.has(index)) return [call];
    const earlier = this.#unnamed.get(index);
    const whole =
      earlier === undefined
        ? call
        : {
            ...earlier,
            id: earlier.id ?? call.id,
            function: {
              name: call.function.name,
              arguments: earlier.function.arguments + call.function.arguments,
            },
          };
    if (whole.function.name === null) {
      this.#unnamed.set(index, whole);
      return [];
    }
    this.#unnamed.delete(index);
    this.#named.add(index);
    return [whole];
  }
}
