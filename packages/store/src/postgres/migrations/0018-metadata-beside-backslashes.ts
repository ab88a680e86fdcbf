/**
 * Finds metadata beside texts in which a backslash and `u0000` are meant as they stand: 0017 took these characters out of
 * the request for U+0000, and what was left was no JSON. Only an odd number of backslashes makes the character.
 */
export const metadataBesideBackslashes0018 = `
  CREATE OR REPLACE FUNCTION yagate_metadata_pairs(request text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE AS $$
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

  INSERT INTO execution_metadata (workspace_id, pair, execution_id)
  SELECT e.workspace_id, p.pair, e.id
  FROM execution_requests r JOIN executions e ON e.id = r.execution_id, yagate_metadata_pairs(r.request) AS p (pair)
  WHERE position('"metadata":{' in r.request) > 0 AND position(E'\\\\\\\\u0000' in r.request) > 0
  ON CONFLICT DO NOTHING;
`;
