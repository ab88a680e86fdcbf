/**
 * When a definition of a tool was superseded, and when definitions of a source were last withdrawn. Definitions count as
 * stored bytes: after they were written, as other rows do, and triggers subtract what is deleted.
 */
export const supersededDefinitions0022 = `
  ALTER TABLE tool_source_definitions ADD COLUMN superseded_at INTEGER;
  CREATE INDEX tool_source_definitions_superseded ON tool_source_definitions (superseded_at)
    WHERE superseded_at IS NOT NULL;
  ALTER TABLE tool_sources ADD COLUMN withdrawn_at INTEGER;
  CREATE INDEX tool_sources_withdrawn ON tool_sources (withdrawn_at) WHERE withdrawn_at IS NOT NULL;

  INSERT INTO stored_bytes_positions (name, position) VALUES ('tool_source_definitions', 0);
  CREATE TRIGGER tool_source_definitions_uncounted BEFORE DELETE ON tool_source_definitions
  WHEN OLD.rowid <= (SELECT position FROM stored_bytes_positions WHERE name = 'tool_source_definitions')
  BEGIN
    INSERT INTO workspace_stored_bytes (workspace_id, bytes)
    SELECT workspace_id, -octet_length(OLD.content) FROM tool_sources WHERE id = OLD.source_id
    ON CONFLICT (workspace_id) DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  -- New rows may reuse the numbers of deleted ones.
  CREATE TRIGGER tool_source_definitions_moved_back AFTER DELETE ON tool_source_definitions
  BEGIN
    UPDATE stored_bytes_positions
    SET position = min(position, ifnull((SELECT max(rowid) FROM tool_source_definitions), 0))
    WHERE name = 'tool_source_definitions';
  END;
`;
