/**
 * When each tool source is synced next, how often in a row that failed, and the numbers of its reads, so that an older
 * read never replaces what a later one found. The number of held tools is stored because metrics add it up.
 */
export const toolSourceSchedule0022 = `
  ALTER TABLE tool_sources ADD COLUMN next_sync_at bigint DEFAULT 0;
  ALTER TABLE tool_sources ADD COLUMN sync_failures bigint NOT NULL DEFAULT 0;
  ALTER TABLE tool_sources ADD COLUMN synced_at bigint;
  ALTER TABLE tool_sources ADD COLUMN read_at bigint NOT NULL DEFAULT 0;
  ALTER TABLE tool_sources ADD COLUMN reads bigint NOT NULL DEFAULT 0;
  ALTER TABLE tool_sources ADD COLUMN stored_read bigint NOT NULL DEFAULT 0;
  ALTER TABLE tool_sources ADD COLUMN held_tools bigint NOT NULL DEFAULT 0;
  UPDATE tool_sources SET synced_at = status_at WHERE status IN ('ready', 'changed');
  UPDATE tool_sources SET held_tools = (
    SELECT count(*) FROM tool_source_tools t
    WHERE t.source_id = tool_sources.id AND t.published_hash IS NOT NULL
      AND (t.accepted_hash IS NULL OR t.accepted_hash <> t.published_hash));
  CREATE INDEX tool_sources_by_sync ON tool_sources (next_sync_at) WHERE archived_at IS NULL;
`;
