/** Large texts of executions, each stored once; JSON columns refer to them by their hashes. */
export const executionTexts0013 = `
  CREATE TABLE execution_texts (
    execution_id TEXT NOT NULL,
    -- SHA-256 of the text, in base64url.
    hash TEXT NOT NULL,
    -- As it stands between its quotes in JSON.
    text TEXT NOT NULL,
    PRIMARY KEY (execution_id, hash)
  ) STRICT;
`;
