import { type AttemptDetail, attemptDetailSchema, attemptIdSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** Single requests of tool calls. */
export class Attempts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What was sent and what came back, secrets redacted; the messages are null once they were deleted for their age. */
  async get(attemptId: string, { signal }: CallOptions = {}): Promise<AttemptDetail> {
    const path = `/v1/attempts/${requireId(attemptIdSchema, attemptId)}`;
    return this.#transport.json({ method: "GET", path, signal }, attemptDetailSchema);
  }
}
