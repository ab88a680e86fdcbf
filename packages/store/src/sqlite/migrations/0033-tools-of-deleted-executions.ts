/**
 * The tools of a deleted execution are those of its calls, so they need no index of their own, of which each commit of
 * new rows would write a page.
 */
export const toolsOfDeletedExecutions0033 = `
  DROP INDEX execution_tools_of;
  DROP TRIGGER read_models_gone;
  -- New rows may reuse the rowids of deleted ones.
  CREATE TRIGGER read_models_gone AFTER DELETE ON executions BEGIN
    DELETE FROM read_executions WHERE execution_id = OLD.id;
    DELETE FROM execution_tools WHERE workspace_id = OLD.workspace_id AND execution_id = OLD.id
      AND tool IN (SELECT tool FROM tool_calls WHERE execution_id = OLD.id);
    DELETE FROM tool_calls WHERE execution_id = OLD.id;
    UPDATE settings SET value = CAST(ifnull((SELECT max(rowid) FROM appends), 0) AS TEXT)
      WHERE name = 'read_models.appends'
        AND CAST(value AS INTEGER) > ifnull((SELECT max(rowid) FROM appends), 0);
  END;
`;
