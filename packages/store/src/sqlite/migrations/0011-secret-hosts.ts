/**
 * Marks secrets and providers that were last written before a provider's key was bound to hosts. The mark is the time
 * of that write: if `updated_at` differs, the row has been written since.
 */
export const secretHosts0011 = `
  ALTER TABLE workspace_secrets ADD COLUMN unbound_at INTEGER;
  UPDATE workspace_secrets SET unbound_at = updated_at;
  ALTER TABLE workspace_providers ADD COLUMN unbound_at INTEGER;
  UPDATE workspace_providers SET unbound_at = updated_at;
`;
