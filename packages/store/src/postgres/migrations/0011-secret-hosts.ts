/**
 * Marks secrets and providers that were written before a provider's key was bound to hosts, with the time of their last
 * write. A row that has been written since, even by an older replica, has another `updated_at`.
 */
export const secretHosts0011 = `
  ALTER TABLE workspace_secrets ADD COLUMN unbound_at bigint;
  UPDATE workspace_secrets SET unbound_at = updated_at;
  ALTER TABLE workspace_providers ADD COLUMN unbound_at bigint;
  UPDATE workspace_providers SET unbound_at = updated_at;
`;
