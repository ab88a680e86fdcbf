import { shortJsonOf } from "../../events/texts-apart.ts";

// Released steps never change, so this SQL expression must not change either.
const summary = shortJsonOf("summary");
const newRequest = shortJsonOf("NEW.request");
const oldRequest = shortJsonOf("r.request");
const pairOf = "octet_length(m.key) || ':' || m.key || m.value";

/**
 * Columns and indexes that find executions by agent, status, error code, stop reason and metadata. Indexes on columns
 * that change contain only ended executions, so only the last append of an execution writes them.
 */
export const executionFilters0015 = `
  ALTER TABLE executions ADD COLUMN ended_status TEXT GENERATED ALWAYS AS (CASE is_open WHEN 0 THEN status END) VIRTUAL;
  -- The code of a failed one's error; why a completed one stopped, unless it came to its own end. Codes are in upper case,
  -- stop reasons are not.
  ALTER TABLE executions ADD COLUMN ended_reason TEXT GENERATED ALWAYS AS (
    CASE WHEN is_open <> 0 THEN NULL
    WHEN status = 'failed' AND json_valid(${summary}) THEN (${summary}) ->> '$.error.code'
    WHEN status = 'completed' AND substr(${summary}, 1, 15) = '{"stopReason":"'
    THEN nullif(substr(${summary}, 16, instr(substr(${summary}, 16, 65), '"') - 1), 'final') END) VIRTUAL;
  CREATE INDEX executions_by_agent ON executions (workspace_id, agent_id, id);
  CREATE INDEX executions_by_end ON executions (workspace_id, ended_status, id) WHERE is_open = 0;
  CREATE INDEX executions_by_agent_end ON executions (workspace_id, agent_id, ended_status, id) WHERE is_open = 0;
  CREATE INDEX executions_by_reason ON executions (workspace_id, ended_reason, id) WHERE ended_reason IS NOT NULL;
  CREATE INDEX executions_unfinished ON executions (workspace_id, id) WHERE is_open = 1;

  -- The strings at the top of each execution's metadata: the length of the name, a colon, name and value.
  CREATE TABLE execution_metadata (
    workspace_id TEXT NOT NULL,
    pair TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    PRIMARY KEY (workspace_id, pair, execution_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX execution_metadata_of ON execution_metadata (execution_id);
  INSERT OR IGNORE INTO execution_metadata (workspace_id, pair, execution_id)
    SELECT e.workspace_id, ${pairOf}, e.id
    FROM execution_requests r CROSS JOIN executions e ON e.id = r.execution_id,
      json_each(CASE WHEN json_valid(${oldRequest}) THEN ${oldRequest} ELSE '{}' END, '$.metadata') m
    WHERE instr(r.request, '"metadata":{') > 0 AND m.type = 'text';
  CREATE TRIGGER execution_metadata_kept AFTER INSERT ON execution_requests
  WHEN instr(NEW.request, '"metadata":{') > 0 BEGIN
    INSERT OR IGNORE INTO execution_metadata (workspace_id, pair, execution_id)
      SELECT e.workspace_id, ${pairOf}, e.id
      FROM executions e, json_each(CASE WHEN json_valid(${newRequest}) THEN ${newRequest} ELSE '{}' END, '$.metadata') m
      WHERE e.id = NEW.execution_id AND m.type = 'text';
  END;
  CREATE TRIGGER execution_metadata_gone AFTER DELETE ON execution_requests
  WHEN instr(OLD.request, '"metadata":{') > 0 BEGIN
    DELETE FROM execution_metadata WHERE execution_id = OLD.execution_id;
  END;
`;
