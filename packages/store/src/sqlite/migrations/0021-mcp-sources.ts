/** The tools of a source that cannot be used, and which revisions of the Model Context Protocol a source supports. */
export const mcpSources0021 = `
  ALTER TABLE tool_sources ADD COLUMN skipped_tools TEXT;

  CREATE TABLE tool_source_eras (
    source_id TEXT NOT NULL,
    credential TEXT NOT NULL,
    verdict TEXT NOT NULL,
    determined_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, credential)
  ) STRICT;
`;
