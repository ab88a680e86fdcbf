import {
  type Approval,
  type ApprovalStatus,
  approvalIdSchema,
  approvalSchema,
  type JsonObject,
  pageSchema,
} from "@yagate/protocol";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const approvalPageSchema = pageSchema(approvalSchema);

/** Which approvals to list. */
export interface ApprovalListQuery extends ListQuery {
  /** Default: all. `pending` are those that somebody must answer. */
  readonly status?: ApprovalStatus | undefined;
}

/** How to approve. */
export interface ApproveOptions extends CallOptions {
  /** Arguments in the place of the model's, which are checked like them. */
  readonly parameters?: JsonObject | undefined;
  /** For the record. */
  readonly comment?: string | undefined;
}

/** How to deny. */
export interface DenyOptions extends CallOptions {
  /** The model reads it. */
  readonly reason?: string | undefined;
}

/** Tool calls that a person must allow. The key needs the scope `approvals`. */
export class Approvals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  list(query: ApprovalListQuery = {}): PagedList<Approval> {
    const { status, ...page } = query;
    return toPagedList(
      { transport: this.#transport, path: "/v1/approvals", schema: approvalPageSchema, filter: { status } },
      page,
    );
  }

  async get(approvalId: string, { signal }: CallOptions = {}): Promise<Approval> {
    return this.#transport.json({ method: "GET", path: pathOf(approvalId), signal }, approvalSchema);
  }

  /**
   * Lets the call run, once.
   *
   * @throws ApiError 409 when it was answered before or its time is over, 403 for the key that started the execution,
   * 422 for arguments that the tool does not take.
   */
  async approve(approvalId: string, options: ApproveOptions = {}): Promise<Approval> {
    requireKnownOptions(options, ["parameters", "comment", "signal"], "approvals.approve");
    const { signal, ...body } = options;
    return this.#answer(`${pathOf(approvalId)}/approve`, body, signal);
  }

  /** Ends the call with `APPROVAL_DENIED`. @throws ApiError 409 when it was answered before or its time is over. */
  async deny(approvalId: string, options: DenyOptions = {}): Promise<Approval> {
    requireKnownOptions(options, ["reason", "signal"], "approvals.deny");
    const { signal, ...body } = options;
    return this.#answer(`${pathOf(approvalId)}/deny`, body, signal);
  }

  #answer(path: string, body: object, signal: AbortSignal | undefined): Promise<Approval> {
    return this.#transport.json({ method: "POST", path, body, signal, repeat: "refused" }, approvalSchema);
  }
}

function pathOf(approvalId: string): string {
  return `/v1/approvals/${requireId(approvalIdSchema, approvalId)}`;
}
