/**
 * Large texts of executions, each stored once; JSON columns refer to them by their hashes. Versions without this step
 * cannot read such columns, so the table of migration steps now records when the last such version stopped using the
 * database.
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
