/** The latest questions of tool calls. The texts are stored as a document, because no query filters by them. */
export const inputRequests0026 = `
  CREATE TABLE input_requests (
    tool_call_id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    execution_id text NOT NULL,
    round integer NOT NULL,
    status text COLLATE "C" NOT NULL,
    requested_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    details text NOT NULL,
    resolution text
  );
  CREATE INDEX input_requests_by_workspace ON input_requests (workspace_id, tool_call_id);
  CREATE INDEX input_requests_by_status ON input_requests (workspace_id, status, tool_call_id);
`;
