import type { PreparedInputs } from "../events/prepared-append.ts";
import type { SqliteConnection } from "./connection.ts";

/** Creates the function that writes the questions and answers of an append. */
export function createInputWriter(connection: SqliteConnection): (inputs: PreparedInputs) => void {
  const insert = connection.prepare(
    `INSERT INTO input_requests (tool_call_id, workspace_id, execution_id, round, status, requested_at, expires_at,
       details, resolution)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tool_call_id) DO UPDATE SET round = excluded.round, status = excluded.status,
       requested_at = excluded.requested_at, expires_at = excluded.expires_at, details = excluded.details,
       resolution = excluded.resolution`,
  );
  const resolve = connection.prepare(
    "UPDATE input_requests SET status = ?, resolution = ? WHERE tool_call_id = ? AND round = ?",
  );
  return ({ inputRequests, inputResolutions }) => {
    for (const { request, detailsJson, resolution } of inputRequests) {
      const { toolCallId, workspaceId, executionId, round, requestedAt, expiresAt } = request;
      const { status = "pending", resolutionJson = null } = resolution ?? {};
      insert.run(
        ...[toolCallId, workspaceId, executionId, round, status, requestedAt, expiresAt],
        ...[detailsJson, resolutionJson],
      );
    }
    for (const { toolCallId, round, status, resolutionJson } of inputResolutions) {
      resolve.run(status, resolutionJson, toolCallId, round);
    }
  };
}
