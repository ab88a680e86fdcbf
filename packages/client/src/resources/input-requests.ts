import {
  type InputAnswers,
  type InputRequest,
  type InputRequestStatus,
  inputRequestSchema,
  pageSchema,
  toolCallIdSchema,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const inputRequestPageSchema = pageSchema(inputRequestSchema);

/** Which input requests to list. */
export interface InputRequestListQuery extends ListQuery {
  /** Default: all input requests. `pending` lists those without answers. */
  readonly status?: InputRequestStatus | undefined;
}

/** Options for `inputRequests.answer`. */
export interface AnswerInputOptions extends CallOptions {
  /** The round that is answered, from the input request: 1 to 8. */
  readonly round: number;
  /** One answer per question, by the keys of the questions. Only an accepted form has `content`. */
  readonly answers: InputAnswers;
}

/** Questions that tools of MCP servers ask a person in the middle of a call. The key needs the scope `approvals`. */
export class InputRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the latest round of each tool call that asked a question, newest tool calls first. */
  list(query: InputRequestListQuery = {}): PagedList<InputRequest> {
    const { status, ...page } = query;
    return toPagedList(
      { transport: this.#transport, path: "/v1/input-requests", schema: inputRequestPageSchema, filter: { status } },
      page,
    );
  }

  /** Gets the latest round of a tool call, with any answers. */
  async get(toolCallId: string, { signal }: CallOptions = {}): Promise<InputRequest> {
    return this.#transport.json({ method: "GET", path: pathOf(toolCallId), signal }, inputRequestSchema);
  }

  /**
   * Answers all questions of a round. The tool call then continues.
   *
   * @throws ApiError 409 if the round was already answered, has expired or is not the latest, 422 if the answers do not
   *   match the questions.
   */
  async answer(toolCallId: string, options: AnswerInputOptions): Promise<InputRequest> {
    requireKnownOptions(options, ["round", "answers", "signal"], "inputRequests.answer");
    const { signal, ...body } = options;
    const request = { method: "POST", path: pathOf(toolCallId), body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, inputRequestSchema);
  }
}

function pathOf(toolCallId: string): string {
  return `/v1/tool-calls/${requireId(toolCallIdSchema, toolCallId)}/input`;
}
