/** The times when endpoints were last used, so that unused ones can be deleted. */
export const endpointUse0003 = `
  ALTER TABLE endpoints ADD COLUMN used_at INTEGER;
  UPDATE endpoints SET used_at = unixepoch() * 1000;
  CREATE INDEX endpoints_by_use ON endpoints (used_at) WHERE disabled_at IS NULL;
`;
