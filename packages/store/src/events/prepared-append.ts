import { type ApprovalStatus, toApprovalResolution, YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { NewApproval } from "../tables/approvals.ts";
import type { Append } from "./event-store.ts";
import { toSummaryJson } from "./execution-record.ts";
import { MIN_APART_CHARACTERS, type TextApart, TextShortener } from "./texts-apart.ts";

/** What came of an approval, as texts. */
export interface PreparedResolution {
  readonly approvalId: string;
  readonly status: ApprovalStatus;
  readonly resolutionJson: string;
}

/** A row of `approvals` as texts. */
export interface PreparedApproval {
  readonly approval: NewApproval;
  readonly detailsJson: string;
  /** Set when the append that asks also says what came of it. */
  readonly resolution: PreparedResolution | undefined;
}

/** An append as texts, made before its commit group: a group may run twice, and holds everybody up while it does. */
export interface PreparedAppend {
  readonly append: Append;
  /** The number of its last entry. */
  readonly lastSeq: number;
  readonly summaryJson: string;
  readonly entriesJson: string;
  readonly link: string | null;
  readonly exchanges: readonly (readonly [attemptId: string, request: string | null, response: string | null])[];
  readonly approvals: readonly PreparedApproval[];
  /** Of approvals that earlier appends asked for. */
  readonly resolutions: readonly PreparedResolution[];
  readonly createdAt: EpochMs;
  /** What of the summary and the entries is stored apart. */
  readonly texts: readonly TextApart[];
}

const toJsonOrNull = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));

/** @throws YagateError `INTERNAL` when the entries are not those of one execution, numbered without a gap. */
export function prepareAppend(append: Append, createdAt: EpochMs): PreparedAppend {
  assertNumbered(append);
  return {
    append,
    lastSeq: append.expectedSeq + append.entries.length,
    summaryJson: toSummaryJson(append.summary),
    entriesJson: append.sealed?.entriesJson ?? JSON.stringify(append.entries),
    link: append.sealed?.link ?? null,
    exchanges: (append.exchanges ?? []).map(
      ({ attemptId, request, response }) => [attemptId, toJsonOrNull(request), toJsonOrNull(response)] as const,
    ),
    ...prepareApprovals(append),
    createdAt,
    texts: [],
  };
}

/** The same with its large texts stored once. */
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
