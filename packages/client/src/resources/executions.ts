import {
  type Execution,
  type ExecutionMode,
  type ExecutionRecording,
  type ExecutionStatus,
  type ExecutionToken,
  executionIdSchema,
  executionRecordingSchema,
  executionSchema,
  executionTokenSchema,
  pageSchema,
  type Receipt,
  type ReplayRequest,
  receiptSchema,
  type StopReason,
  type ToolCallRecord,
  YagateError,
} from "@yagate/protocol";
import { ExecutionStream } from "../executions/execution-stream.ts";
import { listToolCalls } from "../executions/list-tool-calls.ts";
import type { OnToolError } from "../executions/on-tool-error.ts";
import type { WaitOptions } from "../executions/wait-options.ts";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { momentText } from "../lists/moment-text.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const executionPageSchema = pageSchema(executionSchema);

/** Options for `executions.replay`. */
export interface ReplayOptions extends ReplayRequest, CallOptions {
  /** 1 to 255 visible ASCII characters. A repeated request with the same key does not start a second replay. */
  readonly idempotencyKey?: string | undefined;
}

/** Options for `executions.events`. */
export interface EventsOptions extends CallOptions, WaitOptions {
  /**
   * The `seq` of the last event that you have; the stream starts after that event. Default: the stream starts with the
   * first event.
   */
  readonly lastEventId?: number | undefined;
  /** Supplies results for failed tool calls, if the execution was started with `fallbackWaitMs` or `onToolError`. */
  readonly onToolError?: OnToolError | undefined;
}

/** Options for `executions.createToken`. */
export interface TokenOptions extends CallOptions {
  /** Lifetime in seconds: 1 to 3600, default 900. */
  readonly expiresInSeconds?: number | undefined;
}

/** Options for `executions.recording`. */
export interface RecordingOptions extends CallOptions {
  readonly include?: readonly ("input" | "caller" | "metadata")[] | undefined;
}

/** Which executions to list. All given filters must match. */
export interface ExecutionListQuery extends ListQuery {
  readonly status?: ExecutionStatus | undefined;
  /** The id of the agent. */
  readonly agent?: string | undefined;
  /** The error code of a failed execution, such as `MODEL_ERROR`. */
  readonly code?: string | undefined;
  /** The stop reason, such as `truncated` or the name of a limit. */
  readonly stopReason?: StopReason | undefined;
  /** `recorded`: only executions that sent nothing, because they used a recording. `live`: only the others. */
  readonly mode?: ExecutionMode | undefined;
  /** The name of a tool that the execution has called. */
  readonly tool?: string | undefined;
  /** Created at or after this time: a `Date`, or RFC 3339 such as `2026-11-22T09:00:00Z`. */
  readonly since?: string | Date | undefined;
  /** Created before this time. */
  readonly until?: string | Date | undefined;
  /** String entries that the execution's metadata must contain at its top level; at most 8. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

const LIST_OPTIONS = [
  "limit",
  "cursor",
  "signal",
  "status",
  "agent",
  "code",
  "stopReason",
  "mode",
  "tool",
  "since",
  "until",
  "metadata",
];

/** Executions of agents. */
export class Executions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Gets an execution in its current state. */
  async get(executionId: string, { signal }: CallOptions = {}): Promise<Execution> {
    return this.#transport.json({ method: "GET", path: executionPath(executionId), signal }, executionSchema);
  }

  /**
   * Lists executions that match all filters, newest first.
   *
   * @throws YagateError `INVALID_REQUEST` for an unknown option, a metadata value that is not a string, or an invalid
   *   `Date`.
   */
  list(query: ExecutionListQuery = {}): PagedList<Execution> {
    requireKnownOptions(query, LIST_OPTIONS, "executions.list");
    const { limit, cursor, signal, metadata = {}, since, until, ...filter } = query;
    const moments = {
      since: momentText(since, "executions.list: since"),
      until: momentText(until, "executions.list: until"),
    };
    const ofMetadata = Object.entries(metadata).map(([name, value]) => {
      // If the value were dropped, the list would also contain executions with other values.
      if (typeof value === "string") return [`metadata.${name}`, value] as const;
      throw new YagateError("INVALID_REQUEST", `executions.list: expected metadata.${name} to be a string`);
    });
    return toPagedList(
      {
        ...{ transport: this.#transport, path: "/v1/executions", schema: executionPageSchema },
        filter: { ...filter, ...moments, ...Object.fromEntries(ofMetadata) },
      },
      { limit, cursor, signal },
    );
  }

  /**
   * Cancels an execution. No new work starts, but calls that may have side effects are awaited. It is safe to cancel an
   * execution twice.
   *
   * @returns the execution in its current state, unchanged if it had already ended.
   */
  async cancel(executionId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const path = `${executionPath(executionId)}/cancel`;
    return this.#transport.json({ method: "POST", path, signal }, executionSchema);
  }

  /**
   * Replays an execution that has ended: starts a new execution of the same version of the agent, with the same input,
   * caller and metadata. Returns it without waiting for its end.
   *
   * @param options.fromTurn - the first model turn that runs again, from 1 (default). Earlier model turns are copied.
   * @param options.toolMode - `recorded` (default): calls get their recorded outcomes, and none is sent. `live`: calls
   *   are sent. @param options.confirm - required for a live replay if tools of the agent may write.
   * @throws ApiError 409 if the execution has not ended, or tools may write and `confirm` is missing; `errors` then
   *   lists these tools.
   */
  async replay(executionId: string, options: ReplayOptions = {}): Promise<Execution> {
    const known = ["fromTurn", "toolMode", "confirm", "idempotencyKey", "signal"];
    requireKnownOptions(options, known, "executions.replay");
    const { idempotencyKey, signal, ...body } = options;
    const path = `${executionPath(executionId)}/replay`;
    return this.#transport.json({ method: "POST", path, body, idempotencyKey, signal }, executionSchema);
  }

  /**
   * Creates a token for a web page, or for another party that must not have the API key. With the token, that party can
   * follow this execution, read its record and tool calls, and supply its fallbacks, to the extent that the client's
   * key allows. Keep the token as secret as the key. It becomes invalid when the key is deleted.
   */
  async createToken(executionId: string, options: TokenOptions = {}): Promise<ExecutionToken> {
    requireKnownOptions(options, ["expiresInSeconds", "signal"], "executions.createToken");
    const { expiresInSeconds, signal } = options;
    const path = `${executionPath(executionId)}/tokens`;
    return this.#transport.json({ method: "POST", path, body: { expiresInSeconds }, signal }, executionTokenSchema);
  }

  /**
   * Follows the events of an execution to its end, whichever client started it. By default, starts at the first event.
   *
   * @throws YagateError `INVALID_REQUEST` for an invalid id or an unknown option.
   */
  events(executionId: string, options: EventsOptions = {}): ExecutionStream {
    requireKnownOptions(
      options,
      ["lastEventId", "onToolError", "onWaiting", "maxWaitMs", "signal"],
      "executions.events",
    );
    const { lastEventId = 0, onToolError, onWaiting, maxWaitMs, signal } = options;
    const source = { executionId: requireId(executionIdSchema, executionId), lastSeq: lastEventId };
    return new ExecutionStream({ transport: this.#transport, source, onToolError, onWaiting, maxWaitMs, signal });
  }

  /**
   * Gets the receipt of an execution: an account of what the execution did, in plain language, together with the record
   * on which the account is based. `verified` states whether the stored record is unchanged. To verify a JSON receipt
   * without the gateway, use `verifyReceipt` from `@yagate/protocol` or `yagate receipt verify`.
   */
  async receipt(executionId: string, { signal }: CallOptions = {}): Promise<Receipt> {
    return this.#transport.json({ method: "GET", path: receiptPath(executionId), signal }, receiptSchema);
  }

  /**
   * Gets the recording of an execution that has ended, for the option `recording` of `agents.execute`. The secrets of
   * the workspace are masked.
   *
   * @param options.include - what else the response contains: `input`, `caller`, `metadata`. Default: nothing.
   */
  async recording(executionId: string, options: RecordingOptions = {}): Promise<ExecutionRecording> {
    requireKnownOptions(options, ["include", "signal"], "executions.recording");
    const { include = [], signal } = options;
    const query = include.length === 0 ? "" : `?include=${include.join(",")}`;
    const path = `${executionPath(executionId)}/recording${query}`;
    return this.#transport.json({ method: "GET", path, signal }, executionRecordingSchema);
  }

  /** Gets the receipt as plain text, for people to read. The text alone cannot be verified. */
  async receiptText(executionId: string, { signal }: CallOptions = {}): Promise<string> {
    return this.#transport.text({ method: "GET", path: receiptPath(executionId), signal });
  }

  /** Lists an execution's tool calls with their attempts, in the order in which the model requested them. */
  toolCalls(executionId: string, query: ListQuery = {}): PagedList<ToolCallRecord> {
    return listToolCalls(this.#transport, requireId(executionIdSchema, executionId), query);
  }
}

function receiptPath(executionId: string): string {
  return `${executionPath(executionId)}/receipt`;
}

function executionPath(executionId: string): string {
  return `/v1/executions/${requireId(executionIdSchema, executionId)}`;
}
