/**
 * Tables that are derived from the event log after its commits. Appends are found by their rowids: the position is that
 * of the last append that was read, and executions that exist already are added from the newest to the oldest.
 */
export const readModels0031 = `
  -- Up to which event each execution was read, and what the next read needs.
  CREATE TABLE read_executions (
    execution_id TEXT NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    state TEXT
  ) STRICT, WITHOUT ROWID;
  -- Executions with more events than one step reads.
  CREATE TABLE read_model_changes (
    execution_id TEXT NOT NULL
  ) STRICT;

  CREATE TABLE execution_tools (
    workspace_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    PRIMARY KEY (workspace_id, tool, execution_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX execution_tools_of ON execution_tools (execution_id);

  CREATE TABLE tool_calls (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    status TEXT NOT NULL,
    code TEXT,
    requested_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tool_calls_by_workspace ON tool_calls (workspace_id, id);
  CREATE INDEX tool_calls_by_tool ON tool_calls (workspace_id, tool, id);
  CREATE INDEX tool_calls_by_status ON tool_calls (workspace_id, status, id);
  CREATE INDEX tool_calls_by_code ON tool_calls (workspace_id, code, id) WHERE code IS NOT NULL;
  CREATE INDEX tool_calls_of ON tool_calls (execution_id);

  CREATE TABLE metric_points (
    workspace_id TEXT NOT NULL,
    step INTEGER NOT NULL,
    metric TEXT NOT NULL,
    at INTEGER NOT NULL,
    label TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (workspace_id, step, metric, at, label, bucket)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX metric_points_by_age ON metric_points (step, at);

  INSERT OR REPLACE INTO settings (name, value)
    SELECT 'read_models.appends', CAST(ifnull((SELECT max(rowid) FROM appends), 0) AS TEXT);
  INSERT OR REPLACE INTO settings (name, value)
    SELECT 'read_models.backfill', CASE WHEN EXISTS (SELECT 1 FROM executions) THEN '~' ELSE '' END;

  -- New rows may reuse the rowids of deleted ones.
  CREATE TRIGGER read_models_gone AFTER DELETE ON executions BEGIN
    DELETE FROM read_executions WHERE execution_id = OLD.id;
    DELETE FROM execution_tools WHERE execution_id = OLD.id;
    DELETE FROM tool_calls WHERE execution_id = OLD.id;
    UPDATE settings SET value = CAST(ifnull((SELECT max(rowid) FROM appends), 0) AS TEXT)
      WHERE name = 'read_models.appends'
        AND CAST(value AS INTEGER) > ifnull((SELECT max(rowid) FROM appends), 0);
  END;
`;
