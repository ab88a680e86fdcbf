/**
 * Suspended executions: they have a wake-up time, no owner, and a lease of -1, which is outside every range of leases.
 */
export const sleepingExecutions0006 = `
  ALTER TABLE executions ADD COLUMN wake_at bigint;
  CREATE INDEX executions_asleep ON executions (wake_at, workspace_id) WHERE wake_at IS NOT NULL;
`;
