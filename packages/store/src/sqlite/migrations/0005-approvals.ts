/** Approval requests. The details shown to approvers are stored as a document, because no query filters by them. */
export const approvals0005 = `
  CREATE TABLE approvals (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    tool_call_id TEXT NOT NULL,
    status TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    details TEXT NOT NULL,
    resolution TEXT
  ) STRICT;
  CREATE INDEX approvals_by_workspace ON approvals (workspace_id, id);
  CREATE INDEX approvals_by_status ON approvals (workspace_id, status, id);
`;
