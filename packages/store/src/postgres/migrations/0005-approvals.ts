/** Approval requests. The details shown to approvers are stored as a document, because no query filters by them. */
export const approvals0005 = `
  CREATE TABLE approvals (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    execution_id text NOT NULL,
    tool_call_id text NOT NULL,
    status text COLLATE "C" NOT NULL,
    requested_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    details text NOT NULL,
    resolution text
  );
  CREATE INDEX approvals_by_workspace ON approvals (workspace_id, id);
  CREATE INDEX approvals_by_status ON approvals (workspace_id, status, id);
`;
