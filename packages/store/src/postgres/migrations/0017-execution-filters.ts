/**
 * Columns and indexes that find executions by agent, status, error code, stop reason and metadata. The indexed columns
 * change only with the last append: if `status` itself were indexed, PostgreSQL would write all indexes at each change
 * of the status. Triggers maintain the metadata, so it is also filled when older replicas write.
 */
export const executionFilters0017 = `
  ALTER TABLE executions
    ADD COLUMN ended_status text GENERATED ALWAYS AS (CASE is_open WHEN 0 THEN status END) STORED,
    -- The code of a failed one's error; why a completed one stopped, unless it came to its own end. Codes are in upper
    -- case, stop reasons are not.
    ADD COLUMN ended_reason text GENERATED ALWAYS AS (
      CASE WHEN is_open <> 0 THEN NULL
      WHEN status = 'failed' THEN substring(summary FROM '"error":\\{"code":"([A-Za-z0-9_.-]{1,64})"')
      WHEN status = 'completed'
      THEN nullif(substring(summary FROM '^(?:~1[^{]*)?\\{"stopReason":"([A-Za-z]{1,64})"'), 'final') END) STORED;
  CREATE INDEX executions_by_agent ON executions (workspace_id, agent_id, id);
  CREATE INDEX executions_by_end ON executions (workspace_id, ended_status, id) WHERE ended_status IS NOT NULL;
  CREATE INDEX executions_by_agent_end ON executions (workspace_id, agent_id, ended_status, id)
    WHERE ended_status IS NOT NULL;
  CREATE INDEX executions_by_reason ON executions (workspace_id, ended_reason, id) WHERE ended_reason IS NOT NULL;

  -- The strings at the top of each execution's metadata, as hashes of the name's length in bytes, a colon, name and value.
  CREATE TABLE execution_metadata (
    workspace_id text COLLATE "C" NOT NULL,
    pair text COLLATE "C" NOT NULL,
    execution_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, pair, execution_id)
  );
  -- Not in an order, in which a page could be read past many rows that it does not ask for.
  CREATE INDEX execution_metadata_of ON execution_metadata USING hash (execution_id);

  -- Texts with U+0000 or half a surrogate pair are valid JSON that the server can't read. The first is taken out, so
  -- that the other texts beside it are found; metadata with the second is not found. An even number of backslashes
  -- before u0000 is text that is meant as it stands: only an odd number makes the character.
  CREATE FUNCTION yagate_metadata_pairs(request text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    body text;
    member record;
  BEGIN
    IF position('"metadata":{' in request) = 0 THEN RETURN; END IF;
    body := CASE WHEN left(request, 2) = '~1' THEN substr(request, position(E'\\n' in request) + 1) ELSE request END;
    IF position(E'\\\\u0000' in body) > 0 THEN
      body := regexp_replace(body, E'(?<!\\\\\\\\)((?:\\\\\\\\\\\\\\\\)*)\\\\\\\\u0000', E'\\\\1', 'g');
    END IF;
    FOR member IN SELECT m.key, m.value FROM json_each(body::json -> 'metadata') AS m LOOP
      IF json_typeof(member.value) <> 'string' THEN CONTINUE; END IF;
      BEGIN
        RETURN NEXT encode(sha256(convert_to(
          octet_length(member.key) || ':' || member.key || (member.value #>> '{}'), 'UTF8')), 'hex');
      EXCEPTION WHEN data_exception THEN NULL;
      END;
    END LOOP;
  EXCEPTION WHEN data_exception THEN RETURN;
  END $$;

  CREATE FUNCTION yagate_keep_metadata() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO execution_metadata (workspace_id, pair, execution_id)
    SELECT e.workspace_id, p.pair, e.id FROM executions e, yagate_metadata_pairs(NEW.request) AS p (pair)
    WHERE e.id = NEW.execution_id
    ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE FUNCTION yagate_drop_metadata() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM execution_metadata WHERE execution_id = OLD.execution_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER execution_metadata_kept AFTER INSERT ON execution_requests FOR EACH ROW
    WHEN (position('"metadata":{' in NEW.request) > 0) EXECUTE FUNCTION yagate_keep_metadata();
  CREATE TRIGGER execution_metadata_gone AFTER DELETE ON execution_requests FOR EACH ROW
    WHEN (position('"metadata":{' in OLD.request) > 0) EXECUTE FUNCTION yagate_drop_metadata();

  INSERT INTO execution_metadata (workspace_id, pair, execution_id)
  SELECT e.workspace_id, p.pair, e.id
  FROM execution_requests r JOIN executions e ON e.id = r.execution_id, yagate_metadata_pairs(r.request) AS p (pair)
  WHERE position('"metadata":{' in r.request) > 0
  ON CONFLICT DO NOTHING;
`;
