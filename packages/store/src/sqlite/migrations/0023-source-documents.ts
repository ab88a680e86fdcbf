/** The documents of tool sources: the uploaded text, and what the latest successful sync found in the document. */
export const sourceDocuments0023 = `
  CREATE TABLE tool_source_documents (
    source_id TEXT NOT NULL PRIMARY KEY,
    upload TEXT,
    report TEXT
  ) STRICT;
`;
