/**
 * Tables that are derived from the event log after its commits. A trigger records which executions have changed, so
 * that the appends of older replicas are read too. Executions that exist already are added from the newest to the
 * oldest.
 */
export const readModels0033 = `
  -- Up to which event each execution was read, and what the next read needs.
  CREATE TABLE read_executions (
    execution_id text COLLATE "C" NOT NULL PRIMARY KEY,
    seq bigint NOT NULL,
    state text
  ) WITH (fillfactor = 70);
  -- Without a key: rows are only ever added, and taken.
  CREATE TABLE read_model_changes (
    execution_id text COLLATE "C" NOT NULL
  );

  CREATE TABLE execution_tools (
    workspace_id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    execution_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, tool, execution_id)
  );
  CREATE INDEX execution_tools_of ON execution_tools USING hash (execution_id);

  CREATE TABLE tool_calls (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    execution_id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    code text COLLATE "C",
    requested_at bigint NOT NULL,
    finished_at bigint
  );
  CREATE INDEX tool_calls_by_workspace ON tool_calls (workspace_id, id);
  CREATE INDEX tool_calls_by_tool ON tool_calls (workspace_id, tool, id);
  CREATE INDEX tool_calls_by_status ON tool_calls (workspace_id, status, id);
  CREATE INDEX tool_calls_by_code ON tool_calls (workspace_id, code, id) WHERE code IS NOT NULL;
  CREATE INDEX tool_calls_of ON tool_calls USING hash (execution_id);

  CREATE TABLE metric_points (
    workspace_id text COLLATE "C" NOT NULL,
    step integer NOT NULL,
    metric text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    label text COLLATE "C" NOT NULL,
    bucket integer NOT NULL,
    value double precision NOT NULL,
    PRIMARY KEY (workspace_id, step, metric, at, label, bucket)
  );
  CREATE INDEX metric_points_by_age ON metric_points (step, at);

  INSERT INTO settings (name, value)
    SELECT 'read_models.backfill', CASE WHEN EXISTS (SELECT 1 FROM executions) THEN '~' ELSE '' END;

  CREATE FUNCTION yagate_record_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO read_model_changes (execution_id) SELECT execution_id FROM added;
    RETURN NULL;
  END $$;
  CREATE TRIGGER read_models_changed AFTER INSERT ON appends REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION yagate_record_changes();

  CREATE FUNCTION yagate_drop_read_models() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM read_executions WHERE execution_id IN (SELECT id FROM removed);
    DELETE FROM execution_tools WHERE execution_id IN (SELECT id FROM removed);
    DELETE FROM tool_calls WHERE execution_id IN (SELECT id FROM removed);
    RETURN NULL;
  END $$;
  CREATE TRIGGER read_models_gone AFTER DELETE ON executions REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION yagate_drop_read_models();
`;
