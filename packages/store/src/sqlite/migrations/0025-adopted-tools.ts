/** The workspace tools that follow tools of sources. */
export const adoptedTools0025 = `
  CREATE TABLE adopted_tools (
    tool_id TEXT NOT NULL PRIMARY KEY,
    source_id TEXT NOT NULL,
    name TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX adopted_tools_by_source ON adopted_tools (source_id, name);
`;
