import {
  type Execution,
  type ExecutionStatus,
  type ExecutionToken,
  executionIdSchema,
  executionSchema,
  executionTokenSchema,
  pageSchema,
  type Receipt,
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

/** Options of `executions.events`. */
export interface EventsOptions extends CallOptions, WaitOptions {
  /** The `seq` of the last event that was seen: the stream begins after it. Default: from the first event. */
  readonly lastEventId?: number | undefined;
  /** Answers failed tool calls, if the execution was started with `fallbackWaitMs` or `onToolError`. */
  readonly onToolError?: OnToolError | undefined;
}

/** Options of `executions.createToken`. */
export interface TokenOptions extends CallOptions {
  /** How long it lasts: 1 to 3600, default 900. */
  readonly expiresInSeconds?: number | undefined;
}

/** Which executions are listed; every part that is given must hold. */
export interface ExecutionListQuery extends ListQuery {
  readonly status?: ExecutionStatus | undefined;
  /** The agent's id. */
  readonly agent?: string | undefined;
  /** The code of the error that executions failed with, such as `MODEL_ERROR`. */
  readonly code?: string | undefined;
  /** Why executions ended, such as `truncated` or the name of a limit. */
  readonly stopReason?: StopReason | undefined;
  /** Created at this moment or later; a `Date`, or RFC 3339, such as `2026-11-22T09:00:00Z`. */
  readonly since?: string | Date | undefined;
  /** Created before this moment. */
  readonly until?: string | Date | undefined;
  /** Strings at the top of the metadata, at most 8, each equal. */
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
  "since",
  "until",
  "metadata",
];

/** Runs of agents. */
export class Executions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(executionId: string, { signal }: CallOptions = {}): Promise<Execution> {
    return this.#transport.json({ method: "GET", path: executionPath(executionId), signal }, executionSchema);
  }

  /**
   * Newest first: those that every given filter holds for.
   *
   * @throws YagateError `INVALID_REQUEST` for an option that does not exist, metadata that is no text and a `Date` that is not valid.
   */
  list(query: ExecutionListQuery = {}): PagedList<Execution> {
    requireKnownOptions(query, LIST_OPTIONS, "executions.list");
    const { limit, cursor, signal, metadata = {}, since, until, ...filter } = query;
    const moments = {
      since: momentText(since, "executions.list: since"),
      until: momentText(until, "executions.list: until"),
    };
    const ofMetadata = Object.entries(metadata).map(([name, value]) => {
      // Left out, it would list the executions of every value.
      if (typeof value === "string") return [`metadata.${name}`, value] as const;
      throw new YagateError("INVALID_REQUEST", `executions.list: expected metadata.${name} to be a text`);
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
   * Asks an execution to stop: nothing new starts, calls that write are awaited. May be repeated.
   *
   * @returns the execution at this moment; one that had ended, unchanged.
   */
  async cancel(executionId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const path = `${executionPath(executionId)}/cancel`;
    return this.#transport.json({ method: "POST", path, signal }, executionSchema);
  }

  /**
   * Makes a token with which a page, or somebody else who may not have the API key, follows this one execution, reads
   * its record and tool calls, and answers its fallbacks if this client's key could. It is a secret like the key, for a
   * shorter time; it opens nothing once that key is deleted.
   */
  async createToken(executionId: string, options: TokenOptions = {}): Promise<ExecutionToken> {
    requireKnownOptions(options, ["expiresInSeconds", "signal"], "executions.createToken");
    const { expiresInSeconds, signal } = options;
    const path = `${executionPath(executionId)}/tokens`;
    return this.#transport.json({ method: "POST", path, body: { expiresInSeconds }, signal }, executionTokenSchema);
  }

  /**
   * What happened and happens in an execution, up to its end, whoever started it.
   *
   * @throws YagateError `INVALID_REQUEST` for an id that can't be one, and for an option that does not exist.
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
   * What an execution did, in plain words, with the record that it was told from, and whether that record is as it was
   * written: see `verified`. Written out as JSON it can be verified without the gateway, by `verifyReceipt` of
   * `@yagate/protocol` or `yagate receipt verify`.
   */
  async receipt(executionId: string, { signal }: CallOptions = {}): Promise<Receipt> {
    return this.#transport.json({ method: "GET", path: receiptPath(executionId), signal }, receiptSchema);
  }

  /** The same as text for people, which can't be verified by itself. */
  async receiptText(executionId: string, { signal }: CallOptions = {}): Promise<string> {
    return this.#transport.text({ method: "GET", path: receiptPath(executionId), signal });
  }

  /** An execution's tool calls with their attempts, in the order in which the model asked for them. */
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
