import type { ServerResponse } from "node:http";
import { ReadSlots } from "../../executions/streams/read-slots.ts";
import type { ReadSubject } from "../../executions/streams/reader-queue.ts";
import { ClientGoneError } from "../requests/read-json-body.ts";

/** Requests of routes that can read megabytes that are answered at once. */
const MAX_AT_ONCE = 3;

/** Answers requests that can read megabytes: a few at once, each workspace in turn, and none whose client has left. */
export class LargeReads {
  readonly #turns = new ReadSlots(MAX_AT_ONCE);

  /**
   * Reads and then sends when it is this request's turn.
   *
   * @throws ClientGoneError when the client leaves before that.
   */
  async answer<Answer>(
    subject: ReadSubject,
    response: ServerResponse,
    { read, send }: { readonly read: () => Promise<Answer>; readonly send: (answer: Answer) => void },
  ): Promise<void> {
    if (response.closed) throw new ClientGoneError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let withdraw = () => {};
    const leave = () => {
      withdraw();
      reject(new ClientGoneError());
    };
    response.once("close", leave);
    const answer = async () => {
      const content = await read();
      if (!response.closed) this.#turns.measure(() => send(content));
    };
    withdraw = this.#turns.add(subject, () => {
      response.off("close", leave);
      return answer().then(resolve, reject);
    });
    return promise;
  }
}
