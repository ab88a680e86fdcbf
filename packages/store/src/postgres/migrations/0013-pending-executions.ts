/**
 * Counts the unfinished executions of workspaces, up to each workspace's maximum. Concurrent creations wait for each
 * other. This is a function because each of its statements sees what was committed before the function got the lock; a
 * single statement would count what it saw before it waited.
 */
export const pendingExecutions0013 = `
  CREATE INDEX executions_pending ON executions (workspace_id) WHERE is_open = 1;

  CREATE FUNCTION yagate_pending_executions(workspaces text[], limits bigint[])
  RETURNS TABLE (workspace text, pending bigint) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    asked record;
  BEGIN
    -- In one order, so that two groups never wait for each other.
    FOR asked IN
      SELECT w.id, min(w.most) AS most FROM unnest(workspaces, limits) AS w (id, most)
      WHERE w.most IS NOT NULL GROUP BY w.id ORDER BY w.id
    LOOP
      PERFORM pg_advisory_xact_lock(hashtextextended('yagate.pending ' || asked.id, 0));
      workspace := asked.id;
      SELECT count(*) INTO pending FROM (
        SELECT FROM executions e WHERE e.workspace_id = asked.id AND e.is_open = 1 LIMIT asked.most) AS o;
      RETURN NEXT;
    END LOOP;
  END $$;
`;
