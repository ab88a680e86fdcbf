/**
 * Large texts of executions, each stored once; JSON columns refer to them by their hashes. Versions that lack this step
 * cannot read such columns, so each step records the time after which no such version uses the database.
 */
export const executionTexts0014 = `
  CREATE TABLE execution_texts (
    execution_id text NOT NULL,
    -- SHA-256 of the text, in base64url.
    hash text NOT NULL,
    -- As it stands between its quotes in JSON.
    text text NOT NULL,
    PRIMARY KEY (execution_id, hash)
  );

  ALTER TABLE yagate_migrations ADD COLUMN finished_at timestamptz;
`;
