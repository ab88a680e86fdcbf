import { type AttemptDetail, attemptDetailSchema, attemptIdSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** Attempts: single requests that the gateway sent for tool calls. */
export class Attempts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Gets an attempt with the messages that were sent and received, without secrets. The messages are null after their
   * retention period.
   */
  async get(attemptId: string, { signal }: CallOptions = {}): Promise<AttemptDetail> {
    const path = `/v1/attempts/${requireId(attemptIdSchema, attemptId)}`;
    return this.#transport.json({ method: "GET", path, signal }, attemptDetailSchema);
  }
}
