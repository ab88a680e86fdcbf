import type { ServerResponse } from "node:http";
import type { ReadSubject } from "../../executions/streams/read-slots.ts";
import { ReadSlots } from "../../executions/streams/read-slots.ts";
import { ClientGoneError } from "../requests/read-json-body.ts";

/** Maximum number of concurrent large reads. */
const MAX_AT_ONCE = 3;

/**
 * Runs requests that may read megabytes. Only a few run concurrently, workspaces take turns, and each request runs only
 * as long as its client is connected.
 */
export class LargeReads {
  readonly #slots = new ReadSlots(MAX_AT_ONCE);

  /**
   * Waits for a slot, then reads and sends the content.
   *
   * @throws ClientGoneError if the client disconnects first.
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
