/** The audit log. */
export const audit0010 = `
  CREATE TABLE audit_entries (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    resource_type TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    key_id TEXT,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_entries_by_workspace ON audit_entries (workspace_id, at, id);
  CREATE INDEX audit_entries_by_age ON audit_entries (at);
`;
