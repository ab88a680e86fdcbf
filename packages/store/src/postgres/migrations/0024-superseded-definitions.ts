/**
 * When a definition of a tool was superseded, and when definitions of a source were last withdrawn. Triggers count
 * definitions as stored bytes, so that those of older replicas count too.
 */
export const supersededDefinitions0024 = `
  ALTER TABLE tool_source_definitions ADD COLUMN superseded_at bigint;
  CREATE INDEX tool_source_definitions_superseded ON tool_source_definitions (superseded_at)
    WHERE superseded_at IS NOT NULL;
  ALTER TABLE tool_sources ADD COLUMN withdrawn_at bigint;
  CREATE INDEX tool_sources_withdrawn ON tool_sources (withdrawn_at) WHERE withdrawn_at IS NOT NULL;

  CREATE FUNCTION yagate_count_definitions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO stored_bytes_changes (workspace_id, bytes)
      SELECT s.workspace_id, sum(octet_length(r.content)) FROM changed r JOIN tool_sources s ON s.id = r.source_id
      GROUP BY s.workspace_id;
    ELSE
      INSERT INTO stored_bytes_changes (workspace_id, bytes)
      SELECT s.workspace_id, -sum(octet_length(r.content)) FROM changed r JOIN tool_sources s ON s.id = r.source_id
      GROUP BY s.workspace_id;
    END IF;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER tool_source_definitions_counted AFTER INSERT ON tool_source_definitions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION yagate_count_definitions();
  CREATE TRIGGER tool_source_definitions_uncounted AFTER DELETE ON tool_source_definitions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION yagate_count_definitions();
  INSERT INTO stored_bytes_changes (workspace_id, bytes)
  SELECT s.workspace_id, sum(octet_length(d.content))
  FROM tool_source_definitions d JOIN tool_sources s ON s.id = d.source_id GROUP BY s.workspace_id;

  CREATE OR REPLACE FUNCTION yagate_recount_stored_bytes(workspace text) RETURNS void LANGUAGE sql VOLATILE AS $$
    WITH held AS (
      SELECT id, stored_bytes FROM executions
      WHERE workspace_id = workspace AND stored_bytes IS NOT NULL ORDER BY id FOR UPDATE
    ), forgotten AS (
      UPDATE executions e SET stored_bytes = NULL FROM held h WHERE e.id = h.id
    ), restarted AS (
      DELETE FROM settings WHERE name LIKE 'stored_bytes.%'
    ), missing AS (
      SELECT stored_bytes AS bytes FROM executions WHERE workspace_id = workspace
      UNION ALL SELECT octet_length(text) FROM execution_texts WHERE workspace_id = workspace
      UNION ALL SELECT coalesce(octet_length(request), 0) + coalesce(octet_length(response), 0)
      FROM exchanges WHERE workspace_id = workspace
      UNION ALL SELECT octet_length(a.exchanges) FROM appends a JOIN executions e ON e.id = a.execution_id
      WHERE e.workspace_id = workspace AND a.exchanged_at IS NOT NULL
      UNION ALL SELECT octet_length(v.definition) FROM agent_versions v JOIN agents a ON a.id = v.agent_id
      WHERE a.workspace_id = workspace AND v.is_counted = 1
      UNION ALL SELECT octet_length(v.content) FROM tool_versions v JOIN tools t ON t.id = v.tool_id
      WHERE t.workspace_id = workspace AND v.is_counted = 1
      UNION ALL SELECT octet_length(d.content) FROM tool_source_definitions d JOIN tool_sources s ON s.id = d.source_id
      WHERE s.workspace_id = workspace
      UNION ALL SELECT -bytes FROM workspace_stored_bytes WHERE workspace_id = workspace
      UNION ALL SELECT -bytes FROM stored_bytes_changes WHERE workspace_id = workspace
    )
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace, coalesce((SELECT sum(bytes) FROM missing), 0) - coalesce((SELECT sum(stored_bytes) FROM held), 0)
  $$;
`;
