/** The mode of an execution: `recorded`, or null for one that sends requests. */
export const executionModes0028 = `
  ALTER TABLE executions ADD COLUMN mode TEXT;
  CREATE INDEX executions_by_mode ON executions (workspace_id, id) WHERE mode = 'recorded';
`;
