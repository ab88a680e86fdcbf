/** The stored bytes of workspaces, and for each table, the last row that was counted. */
export const storedBytes0014 = `
  CREATE TABLE workspace_stored_bytes (
    workspace_id TEXT NOT NULL PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE stored_bytes_positions (
    name TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL
  ) STRICT;
  INSERT INTO stored_bytes_positions (name, position) VALUES
    ('execution_requests', 0), ('appends', 0), ('execution_texts', 0), ('exchanges', 0), ('agent_versions', 0),
    ('tool_versions', 0);
`;
