/** The tools of a source that cannot be used, and which revisions of the Model Context Protocol a source supports. */
export const mcpSources0023 = `
  ALTER TABLE tool_sources ADD COLUMN skipped_tools text;

  CREATE TABLE tool_source_eras (
    source_id text COLLATE "C" NOT NULL,
    credential text COLLATE "C" NOT NULL,
    verdict text NOT NULL,
    determined_at bigint NOT NULL,
    PRIMARY KEY (source_id, credential)
  );
`;
