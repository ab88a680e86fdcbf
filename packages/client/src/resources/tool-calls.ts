import { type ToolCallRecord, toolCallIdSchema, toolCallRecordSchema } from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import type { CallOptions } from "./call-options.ts";

/** Tool calls of the workspace. */
export class ToolCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Gets a tool call with its attempts. */
  async get(toolCallId: string, { signal }: CallOptions = {}): Promise<ToolCallRecord> {
    const path = `/v1/tool-calls/${requireId(toolCallIdSchema, toolCallId)}`;
    return this.#transport.json({ method: "GET", path, signal }, toolCallRecordSchema);
  }
}
