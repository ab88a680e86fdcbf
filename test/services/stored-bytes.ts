/** Counts from the rows themselves, on both databases, what the gateway says that workspaces store. */
export const RECOUNT_STORED_BYTES = `
  SELECT workspace_id, CAST(sum(bytes) AS integer) AS bytes FROM (
    SELECT e.workspace_id, octet_length(r.request) AS bytes
    FROM execution_requests r JOIN executions e ON e.id = r.execution_id
    UNION ALL SELECT e.workspace_id,
      octet_length(a.entries) + coalesce(octet_length(a.link), 0) + coalesce(octet_length(a.exchanges), 0)
    FROM appends a JOIN executions e ON e.id = a.execution_id
    UNION ALL SELECT e.workspace_id, octet_length(t.text)
    FROM execution_texts t JOIN executions e ON e.id = t.execution_id
    UNION ALL SELECT e.workspace_id, coalesce(octet_length(x.request), 0) + coalesce(octet_length(x.response), 0)
    FROM exchanges x JOIN call_ids c ON c.id = x.attempt_id JOIN executions e ON e.id = c.execution_id
    UNION ALL SELECT a.workspace_id, octet_length(v.definition) FROM agent_versions v JOIN agents a ON a.id = v.agent_id
    UNION ALL SELECT t.workspace_id, octet_length(v.content) FROM tool_versions v JOIN tools t ON t.id = v.tool_id
    UNION ALL SELECT s.workspace_id, octet_length(d.content)
    FROM tool_source_definitions d JOIN tool_sources s ON s.id = d.source_id
  ) AS stored GROUP BY workspace_id`;

/** One row of {@link RECOUNT_STORED_BYTES}. */
export interface RecountedBytes {
  readonly workspace_id: string;
  readonly bytes: number;
}
