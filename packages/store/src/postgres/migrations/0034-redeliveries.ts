/** Attempts that repeat ended tool calls. They are outside of the event log, so a receipt does not contain them. */
export const redeliveries0034 = `
  CREATE TABLE redeliveries (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    execution_id text COLLATE "C" NOT NULL,
    tool_call_id text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    attempt text NOT NULL,
    -- The request and the response; null while it is running, and once they are too old.
    messages text
  );
  CREATE INDEX redeliveries_of_call ON redeliveries (tool_call_id, id);
  CREATE INDEX redeliveries_of_execution ON redeliveries USING hash (execution_id);
  CREATE INDEX redeliveries_with_messages ON redeliveries (at) WHERE messages IS NOT NULL;

  CREATE FUNCTION yagate_drop_redeliveries() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM redeliveries WHERE execution_id IN (SELECT id FROM removed);
    RETURN NULL;
  END $$;
  CREATE TRIGGER redeliveries_gone AFTER DELETE ON executions REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION yagate_drop_redeliveries();
`;
