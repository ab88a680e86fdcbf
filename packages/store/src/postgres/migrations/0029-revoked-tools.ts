/**
 * The tools of sources whose acceptance a person revoked. A row outlives the tool: a tool that its source takes off and
 * publishes again is not accepted by itself.
 */
export const revokedTools0029 = `
  CREATE TABLE revoked_tools (
    source_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (source_id, name)
  );
`;
