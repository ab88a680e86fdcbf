/**
 * The messages of attempts in the row of the append that ends the attempts, with the time of that append, and the
 * oldest form that every reader must be able to read. While it is 1, replicas write only what versions without this
 * step can read. These messages are counted when they are stored, and never later, so their rows need no mark.
 */
export const exchangesInAppends0020 = `
  ALTER TABLE appends ADD COLUMN exchanged_at bigint;
  ALTER TABLE appends ADD COLUMN exchanges text;
  CREATE INDEX appends_exchanged ON appends (exchanged_at) WHERE exchanged_at IS NOT NULL;

  INSERT INTO settings (name, value) VALUES ('stored_form.min_reader', '1');

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
      UNION ALL SELECT -bytes FROM workspace_stored_bytes WHERE workspace_id = workspace
      UNION ALL SELECT -bytes FROM stored_bytes_changes WHERE workspace_id = workspace
    )
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace, coalesce((SELECT sum(bytes) FROM missing), 0) - coalesce((SELECT sum(stored_bytes) FROM held), 0)
  $$;
`;
