/** The documents of tool sources: the uploaded text, and what the latest successful sync found in the document. */
export const sourceDocuments0025 = `
  CREATE TABLE tool_source_documents (
    source_id text COLLATE "C" NOT NULL PRIMARY KEY,
    upload text,
    report text
  );
`;
