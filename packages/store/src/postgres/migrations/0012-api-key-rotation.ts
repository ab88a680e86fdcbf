/**
 * The times when API keys expire, were last used and were rotated, and the restrictions on the routing of executions
 * that they start.
 */
export const apiKeyRotation0012 = `
  ALTER TABLE api_keys ADD COLUMN expires_at bigint;
  ALTER TABLE api_keys ADD COLUMN last_used_at bigint;
  ALTER TABLE api_keys ADD COLUMN rotated_at bigint;
  ALTER TABLE api_keys ADD COLUMN previous_hash text COLLATE "C";
  ALTER TABLE api_keys ADD COLUMN previous_until bigint;
  ALTER TABLE api_keys ADD COLUMN routing text;
  CREATE INDEX api_keys_by_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;
`;
