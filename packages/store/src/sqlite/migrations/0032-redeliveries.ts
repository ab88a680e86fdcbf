/** Attempts that repeat ended tool calls. They are outside of the event log, so a receipt does not contain them. */
export const redeliveries0032 = `
  CREATE TABLE redeliveries (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    tool_call_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    attempt TEXT NOT NULL,
    -- The request and the response; null while it is running, and once they are too old.
    messages TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX redeliveries_of_call ON redeliveries (tool_call_id, id);
  CREATE INDEX redeliveries_of_execution ON redeliveries (execution_id);
  CREATE INDEX redeliveries_with_messages ON redeliveries (at) WHERE messages IS NOT NULL;
  CREATE TRIGGER redeliveries_gone AFTER DELETE ON executions BEGIN
    DELETE FROM redeliveries WHERE execution_id = OLD.id;
  END;
`;
