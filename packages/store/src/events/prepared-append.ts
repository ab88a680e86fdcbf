import { executionIdOf } from "@yagate/lib/ids/call-ids";
import {
  type ApprovalStatus,
  type ExecutionEvent,
  type InputRequestStatus,
  type InputResolution,
  toApprovalResolution,
  YagateError,
} from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { NewApproval } from "../tables/approvals.ts";
import type { NewInputRequest } from "../tables/input-requests.ts";
import type { Append, EventEntry } from "./event-store.ts";
import { toSummaryJson } from "./execution-record.ts";
import type { StoredForm } from "./stored-form.ts";
import { MIN_APART_CHARACTERS, type TextApart, TextShortener } from "./texts-apart.ts";

/** The decision on an approval request, serialised. */
export interface PreparedResolution {
  readonly approvalId: string;
  readonly status: ApprovalStatus;
  readonly resolutionJson: string;
}

/** A row of `approvals`, serialised. */
export interface PreparedApproval {
  readonly approval: NewApproval;
  readonly detailsJson: string;
  /** Set if the same append both requests and resolves the approval. */
  readonly resolution: PreparedResolution | undefined;
}

/** A row of `call_ids`: a tool call, or an attempt with its call. */
export type CallId = readonly [id: string, executionId: string, toolCallId: string | null];

/** A row of `exchanges`. */
export type ExchangeRow = readonly [attemptId: string, request: string | null, response: string | null];

/**
 * An append, serialised before its commit group runs: a group may run twice, and all other writes wait while it runs.
 */
export interface PreparedAppend extends PreparedInputs {
  readonly append: Append;
  /** The number of its last entry. */
  readonly lastSeq: number;
  readonly summaryJson: string;
  readonly entriesJson: string;
  readonly link: string | null;
  /** The messages of attempts, in the row of the append; null in form 1. */
  readonly exchangesJson: string | null;
  /** The messages of attempts, in rows of their own; none in form 2. */
  readonly exchanges: readonly ExchangeRow[];
  readonly callIds: readonly CallId[];
  readonly approvals: readonly PreparedApproval[];
  /** Decisions on approvals that were requested in earlier appends. */
  readonly resolutions: readonly PreparedResolution[];
  readonly createdAt: EpochMs;
  /** Large texts of the summary and the entries, stored separately. */
  readonly texts: readonly TextApart[];
}

function toExchangeRows(exchanges: Append["exchanges"] = []): readonly ExchangeRow[] {
  return exchanges.map(({ attemptId, request, response }) => [
    attemptId,
    toJsonOrNull(request),
    toJsonOrNull(response),
  ]);
}

/** Returns the ids that need a row to find their execution. Older versions find each of them by its row. */
function callIdsIn(entries: readonly EventEntry[], form: StoredForm): readonly CallId[] {
  const callIds: CallId[] = [];
  const add = (id: string, executionId: string, toolCallId: string | null) => {
    if (form === 1 || executionIdOf(id) !== executionId) callIds.push([id, executionId, toolCallId]);
  };
  for (const { event } of entries) {
    if (event.type === "tool_call.requested") add(event.toolCallId, event.executionId, null);
    else if (event.type === "attempt.started") add(event.attemptId, event.executionId, event.toolCallId);
  }
  return callIds;
}

const toJsonOrNull = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));

/**
 * Serialises an append.
 *
 * @throws YagateError `INTERNAL` if the entries belong to several executions or their numbers have a gap.
 */
export function prepareAppend(append: Append, createdAt: EpochMs, form: StoredForm): PreparedAppend {
  assertNumbered(append);
  const { exchanges } = append;
  return {
    append,
    lastSeq: append.expectedSeq + append.entries.length,
    summaryJson: toSummaryJson(append.summary),
    entriesJson: append.sealed?.entriesJson ?? JSON.stringify(append.entries),
    link: append.sealed?.link ?? null,
    exchangesJson: form === 1 || exchanges === undefined ? null : JSON.stringify(exchanges),
    exchanges: form === 1 ? toExchangeRows(exchanges) : [],
    callIds: callIdsIn(append.entries, form),
    ...prepareApprovals(append),
    ...prepareInputs(append),
    createdAt,
    texts: [],
  };
}

/** Moves large texts out of the append, so that each text is stored only once per execution. */
export function withTextsApart(prepared: PreparedAppend): PreparedAppend {
  if (Math.max(prepared.entriesJson.length, prepared.summaryJson.length) < MIN_APART_CHARACTERS) return prepared;
  const shortener = new TextShortener();
  const entriesJson = shortener.shorten(prepared.entriesJson);
  const summaryJson = shortener.shorten(prepared.summaryJson);
  const { texts } = shortener;
  return texts.length === 0 ? prepared : { ...prepared, entriesJson, summaryJson, texts };
}

function prepareApprovals({ approvals = [], entries }: Append): Pick<PreparedAppend, "approvals" | "resolutions"> {
  const resolutions = new Map<string, PreparedResolution>();
  for (const { event } of entries) {
    if (event.type !== "approval.resolved") continue;
    const { approvalId, status } = event;
    const resolutionJson = JSON.stringify(toApprovalResolution(event));
    resolutions.set(approvalId, { approvalId, status, resolutionJson });
  }
  const asked = approvals.map((approval) => ({
    approval,
    detailsJson: JSON.stringify(approval.details),
    resolution: resolutions.get(approval.id),
  }));
  for (const { approval } of asked) resolutions.delete(approval.id);
  return { approvals: asked, resolutions: [...resolutions.values()] };
}

function assertNumbered({ entries, expectedSeq, executionId }: Append): void {
  for (const [index, { event }] of entries.entries()) {
    if (event.seq !== expectedSeq + index + 1 || event.executionId !== executionId) {
      throw new YagateError("INTERNAL", "expected entries of one execution, numbered without a gap");
    }
  }
}

/** How a round of questions ended, serialised. */
interface PreparedInputResolution {
  readonly toolCallId: string;
  readonly round: number;
  readonly status: InputRequestStatus;
  readonly resolutionJson: string;
}

/** A row of `input_requests`, serialised. It replaces the row of the call's round before. */
interface PreparedInputRequest {
  readonly request: NewInputRequest;
  readonly detailsJson: string;
  /** Set if the same append both asks and ends the round. */
  readonly resolution: PreparedInputResolution | undefined;
}

export interface PreparedInputs {
  readonly inputRequests: readonly PreparedInputRequest[];
  /** Ends of rounds that began in earlier appends. */
  readonly inputResolutions: readonly PreparedInputResolution[];
}

const NONE: PreparedInputs = { inputRequests: [], inputResolutions: [] };

/** Serialises the questions and answers of an append. */
function prepareInputs({ inputRequests = [], entries }: Append): PreparedInputs {
  const resolutions = entries.flatMap(({ event }) => resolutionOf(event));
  if (inputRequests.length === 0 && resolutions.length === 0) return NONE;
  const isOf =
    ({ toolCallId, round }: NewInputRequest) =>
    (one: PreparedInputResolution) =>
      one.toolCallId === toolCallId && one.round === round;
  return {
    inputRequests: inputRequests.map((request) => ({
      request,
      detailsJson: JSON.stringify(request.details),
      resolution: resolutions.find(isOf(request)),
    })),
    inputResolutions: resolutions.filter((one) => !inputRequests.some((request) => isOf(request)(one))),
  };
}

function resolutionOf(event: ExecutionEvent): readonly PreparedInputResolution[] {
  if (event.type !== "input.received" && event.type !== "input.withdrawn") return [];
  const { toolCallId, round, at } = event;
  const isAnswered = event.type === "input.received";
  const resolution: InputResolution = isAnswered ? { at, keyId: event.keyId, answers: event.answers } : { at };
  const status = isAnswered ? "answered" : event.status;
  return [{ toolCallId, round, status, resolutionJson: JSON.stringify(resolution) }];
}
