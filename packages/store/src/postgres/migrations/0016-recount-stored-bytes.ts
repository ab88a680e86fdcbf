/**
 * Sets the total of each workspace to the sum of its counted rows, and has its executions counted again. One statement
 * reads rows, totals and changes, so they all belong to the same point in time.
 */
export const recountStoredBytes0016 = `
  CREATE FUNCTION yagate_recount_stored_bytes(workspace text) RETURNS void LANGUAGE sql VOLATILE AS $$
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
