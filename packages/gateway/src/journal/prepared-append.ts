import { YagateError } from "@yagate/protocol";
import { toSummaryJson } from "./execution-record.ts";
import type { Append, EpochMs } from "./port.ts";

/** An append as texts, made before its commit group: a group may run twice, and holds everybody up while it does. */
export interface PreparedAppend {
  readonly append: Append;
  /** The number of its last entry. */
  readonly lastSeq: number;
  readonly summaryJson: string;
  readonly entriesJson: string;
  readonly link: string | null;
  readonly exchanges: readonly (readonly [attemptId: string, request: string | null, response: string | null])[];
  readonly createdAt: EpochMs;
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
    createdAt,
  };
}

function assertNumbered({ entries, expectedSeq, executionId }: Append): void {
  for (const [index, { event }] of entries.entries()) {
    if (event.seq !== expectedSeq + index + 1 || event.executionId !== executionId) {
      throw new YagateError("INTERNAL", "expected entries of one execution, numbered without a gap");
    }
  }
}
