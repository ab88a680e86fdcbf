import type { PreparedInputs } from "../events/prepared-append.ts";

/** The questions of tools, and answers to them. */
export const INPUTS = (at: (index: number) => string) => `, questioned AS (
    INSERT INTO input_requests (tool_call_id, workspace_id, execution_id, round, status, requested_at, expires_at,
      details, resolution)
    SELECT q.tool_call_id, q.workspace_id, q.execution_id, q.round, q.status, q.requested_at, q.expires_at, q.details,
      q.resolution
    FROM unnest(${at(0)}::text[], ${at(1)}::text[], ${at(2)}::text[], ${at(3)}::integer[], ${at(4)}::text[],
      ${at(5)}::bigint[], ${at(6)}::bigint[], ${at(7)}::text[], ${at(8)}::text[])
      AS q (tool_call_id, workspace_id, execution_id, round, status, requested_at, expires_at, details, resolution)
    JOIN advanced a ON a.id = q.execution_id
    ON CONFLICT (tool_call_id) DO UPDATE SET round = excluded.round, status = excluded.status,
      requested_at = excluded.requested_at, expires_at = excluded.expires_at, details = excluded.details,
      resolution = excluded.resolution
  ), input_resolved AS (
    UPDATE input_requests p SET status = r.status, resolution = r.resolution
    FROM unnest(${at(9)}::text[], ${at(10)}::text[], ${at(11)}::integer[], ${at(12)}::text[], ${at(13)}::text[])
      AS r (execution_id, tool_call_id, round, status, resolution)
    JOIN advanced a ON a.id = r.execution_id
    WHERE p.tool_call_id = r.tool_call_id AND p.round = r.round
  )`;

/** The number of placeholders of {@link INPUTS}. */
export const INPUTS_SIZE = 14;

type InputItem = PreparedInputs & { readonly append: { readonly executionId: string } };

/** Returns the columns of {@link INPUTS}. */
export function inputRowsOf(items: readonly InputItem[]): readonly (readonly (string | number | null)[])[] {
  const asked = items.flatMap(({ inputRequests }) => inputRequests);
  const resolved = items.flatMap(({ append: { executionId }, inputResolutions }) =>
    inputResolutions.map((resolution) => ({ executionId, ...resolution })),
  );
  return [
    asked.map(({ request }) => request.toolCallId),
    asked.map(({ request }) => request.workspaceId),
    asked.map(({ request }) => request.executionId),
    asked.map(({ request }) => request.round),
    asked.map(({ resolution }) => resolution?.status ?? "pending"),
    asked.map(({ request }) => request.requestedAt),
    asked.map(({ request }) => request.expiresAt),
    asked.map(({ detailsJson }) => detailsJson),
    asked.map(({ resolution }) => resolution?.resolutionJson ?? null),
    resolved.map(({ executionId }) => executionId),
    resolved.map(({ toolCallId }) => toolCallId),
    resolved.map(({ round }) => round),
    resolved.map(({ status }) => status),
    resolved.map(({ resolutionJson }) => resolutionJson),
  ];
}
