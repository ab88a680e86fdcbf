/** The workspace tools that follow tools of sources. */
export const adoptedTools0027 = `
  CREATE TABLE adopted_tools (
    tool_id text COLLATE "C" NOT NULL PRIMARY KEY,
    source_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL
  );
  CREATE UNIQUE INDEX adopted_tools_by_source ON adopted_tools (source_id, name);
`;
