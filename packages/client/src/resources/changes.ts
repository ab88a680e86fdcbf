import { type ChangeHint, changeHintSchema } from "@yagate/protocol";
import { connectionFailed } from "../errors/connection-failed.ts";
import { incompatibleResponse } from "../errors/incompatible-response.ts";
import { readMessages } from "../events/read-messages.ts";
import { parseResponse } from "../http/parse-response.ts";
import { isRepeatable, retryDelayMs } from "../http/retry-policy.ts";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** The client gives up after this many connections in a row that fail to open. */
const MAX_FAILURES = 8;

/** A hint, or `connected` at the start of each connection: earlier changes may have been missed. */
export type WorkspaceChange = ChangeHint | { readonly type: "connected" };

/** Changes of executions, tool calls, approvals and input requests in the workspace. */
export class Changes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Yields a hint for each change, over as many connections as necessary, until the signal is aborted. Hints contain no
   * data and are never repeated, so read your lists again at each `connected` and after each hint.
   *
   * @throws ApiError if the gateway responds with an error; YagateError `CONNECTION_FAILED` after several failed
   *   connections in a row; the signal's reason if the signal is aborted.
   *
   * @example for await (const change of client.changes.follow({ signal })) await refresh(change);
   */
  async *follow({ signal }: CallOptions = {}): AsyncGenerator<WorkspaceChange, void, undefined> {
    const { runtime, origin } = this.#transport;
    let failures = 0;
    for (;;) {
      let failure: unknown = connectionFailed("the event stream ended; it came from", origin);
      try {
        const answer = await this.#transport.open({
          ...{ method: "GET", path: "/v1/events", bodyText: undefined },
          headers: { accept: "text/event-stream" },
          signal,
        });
        if (!answer.response.headers.get("content-type")?.startsWith("text/event-stream")) {
          answer.close();
          throw incompatibleResponse("expected the changes of the workspace as text/event-stream");
        }
        failures = 0;
        try {
          yield { type: "connected" };
          for await (const { data } of readMessages(answer, this.#transport)) {
            yield parseResponse(data, changeHintSchema, "GET /v1/events");
          }
        } finally {
          // A reader that stops at "connected" has not started to read the messages, which would close it.
          answer.close();
        }
      } catch (error) {
        if (!isRepeatable(error, "always")) throw error;
        failure = error;
      }
      failures += 1;
      const delayMs = retryDelayMs(failures, failure, runtime.random);
      if (failures > MAX_FAILURES || delayMs === undefined) throw failure;
      await runtime.sleep(delayMs, signal);
    }
  }
}
