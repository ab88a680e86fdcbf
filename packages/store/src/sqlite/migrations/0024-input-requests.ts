/** The latest questions of tool calls. The texts are stored as a document, because no query filters by them. */
export const inputRequests0024 = `
  CREATE TABLE input_requests (
    tool_call_id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    status TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    details TEXT NOT NULL,
    resolution TEXT
  ) STRICT;
  CREATE INDEX input_requests_by_workspace ON input_requests (workspace_id, tool_call_id);
  CREATE INDEX input_requests_by_status ON input_requests (workspace_id, status, tool_call_id);
`;
