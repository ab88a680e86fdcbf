/** The audit log. */
export const audit0010 = `
  CREATE TABLE audit_entries (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    action text NOT NULL,
    resource_type text NOT NULL,
    resource_id text COLLATE "C" NOT NULL,
    key_id text COLLATE "C",
    entry text NOT NULL
  );
  CREATE INDEX audit_entries_by_workspace ON audit_entries (workspace_id, at, id);
  CREATE INDEX audit_entries_by_age ON audit_entries (at);
`;
