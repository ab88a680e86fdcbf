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
  /** Default: all approvals. `pending` lists approvals without a decision. */
  readonly status?: ApprovalStatus | undefined;
}

/** Options for `approvals.approve`. */
export interface ApproveOptions extends CallOptions {
  /** Arguments that replace all of the model's arguments. They must match the tool's schema. */
  readonly parameters?: JsonObject | undefined;
  /** A comment for the record: at most 2,000 characters. */
  readonly comment?: string | undefined;
}

/** Options for `approvals.deny`. */
export interface DenyOptions extends CallOptions {
  /** The reason, which the model reads: at most 2,000 characters. */
  readonly reason?: string | undefined;
}

/** Tool calls that require a person's approval. The key needs the scope `approvals`. */
export class Approvals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists approvals, newest first. */
  list(query: ApprovalListQuery = {}): PagedList<Approval> {
    const { status, ...page } = query;
    return toPagedList(
      { transport: this.#transport, path: "/v1/approvals", schema: approvalPageSchema, filter: { status } },
      page,
    );
  }

  /** Gets an approval, with the exact request to approve and any decision. */
  async get(approvalId: string, { signal }: CallOptions = {}): Promise<Approval> {
    return this.#transport.json({ method: "GET", path: pathOf(approvalId), signal }, approvalSchema);
  }

  /**
   * Approves the call, which then runs.
   *
   * @throws ApiError 409 if the approval has already been decided or has expired, 403 if the client's key started the
   *   execution and the operator does not permit this, 422 if the arguments do not match the tool's schema.
   */
  async approve(approvalId: string, options: ApproveOptions = {}): Promise<Approval> {
    requireKnownOptions(options, ["parameters", "comment", "signal"], "approvals.approve");
    const { signal, ...body } = options;
    return this.#answer(`${pathOf(approvalId)}/approve`, body, signal);
  }

  /**
   * Denies the call, which then ends with `APPROVAL_DENIED`.
   *
   * @throws ApiError 409 if the approval has already been decided or has expired.
   */
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
