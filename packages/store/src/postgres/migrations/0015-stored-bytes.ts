/**
 * The stored bytes of workspaces. Each row records how many of its bytes were counted, so that exactly this number is
 * subtracted when the row is deleted. Rows that earlier versions or older replicas write are counted later, in the
 * background.
 */
export const storedBytes0015 = `
  -- Of the request and the appends; null: not counted.
  ALTER TABLE executions ADD COLUMN stored_bytes bigint;
  -- Whose bytes they were counted as; null: not counted.
  ALTER TABLE exchanges ADD COLUMN workspace_id text;
  ALTER TABLE execution_texts ADD COLUMN workspace_id text;
  ALTER TABLE agent_versions ADD COLUMN is_counted integer;
  ALTER TABLE tool_versions ADD COLUMN is_counted integer;
  CREATE INDEX agent_versions_uncounted ON agent_versions (agent_id, version) WHERE is_counted IS NULL;
  CREATE INDEX tool_versions_uncounted ON tool_versions (tool_id, version) WHERE is_counted IS NULL;

  CREATE TABLE workspace_stored_bytes (
    workspace_id text COLLATE "C" NOT NULL PRIMARY KEY,
    bytes bigint NOT NULL
  );

  -- What is not in the totals yet. Without a key: rows are only ever added, and taken all at once.
  CREATE TABLE stored_bytes_changes (
    workspace_id text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL
  );

  -- A function, since its second statement must see every append that was committed before the row was locked.
  CREATE FUNCTION yagate_count_executions(after_id text, most integer)
  RETURNS TABLE (last_id text, looked_at integer) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    page text[] := ARRAY(SELECT e.id FROM executions e WHERE e.id > after_id ORDER BY e.id LIMIT most);
  BEGIN
    PERFORM FROM executions e WHERE e.id = ANY(page) AND e.stored_bytes IS NULL ORDER BY e.id FOR UPDATE;
    WITH counted AS (
      UPDATE executions e SET stored_bytes =
        coalesce((SELECT octet_length(r.request) FROM execution_requests r WHERE r.execution_id = e.id), 0)
        + coalesce((SELECT sum(octet_length(a.entries) + coalesce(octet_length(a.link), 0))
            FROM appends a WHERE a.execution_id = e.id), 0)
      WHERE e.id = ANY(page) AND e.stored_bytes IS NULL
      RETURNING e.workspace_id, e.stored_bytes
    )
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT c.workspace_id, sum(c.stored_bytes) FROM counted c GROUP BY c.workspace_id;
    last_id := coalesce(page[cardinality(page)], after_id);
    looked_at := cardinality(page);
    RETURN NEXT;
  END $$;
`;
