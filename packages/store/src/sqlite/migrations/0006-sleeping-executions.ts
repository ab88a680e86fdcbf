/**
 * Executions that only wait are laid down: they have a moment to wake up at, no owner, and a lease of -1, which no
 * range of leases holds.
 */
export const sleepingExecutions0006 = `
  ALTER TABLE executions ADD COLUMN wake_at INTEGER;
  CREATE INDEX executions_asleep ON executions (wake_at, workspace_id) WHERE wake_at IS NOT NULL;
`;
