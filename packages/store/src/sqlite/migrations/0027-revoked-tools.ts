/**
 * The tools of sources whose acceptance a person revoked. A row outlives the tool: a tool that its source takes off and
 * publishes again is not accepted by itself.
 */
export const revokedTools0027 = `
  CREATE TABLE revoked_tools (
    source_id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (source_id, name)
  ) STRICT, WITHOUT ROWID;
`;
