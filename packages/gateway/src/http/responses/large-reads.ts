import type { ServerResponse } from "node:http";
import { ReadSlots } from "../../executions/streams/read-slots.ts";
import type { ReadSubject } from "../../executions/streams/reader-queue.ts";
import { ClientGoneError } from "../requests/read-json-body.ts";

/** Maximum large reads at the same time. */
const MAX_AT_ONCE = 3;

/** Runs requests that may read megabytes: a few at once, workspaces taking turns, and none without a connected client. */
export class LargeReads {
  readonly #slots = new ReadSlots(MAX_AT_ONCE);

  /**
   * Waits for a slot, reads, and sends.
   *
   * @throws ClientGoneError when the client disconnects first.
   */
  async run<Content>(
    subject: ReadSubject,
    response: ServerResponse,
    { read, send }: { readonly read: () => Promise<Content>; readonly send: (content: Content) => void },
  ): Promise<void> {
    if (response.closed) throw new ClientGoneError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let withdraw = () => {};
    const onClose = () => {
      withdraw();
      reject(new ClientGoneError());
    };
    response.once("close", onClose);
    const readAndSend = async () => {
      const content = await read();
      if (!response.closed) this.#slots.measure(() => send(content));
    };
    withdraw = this.#slots.add(subject, () => {
      response.off("close", onClose);
      return readAndSend().then(resolve, reject);
    });
    return promise;
  }
}
