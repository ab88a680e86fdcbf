/** Increment this with every change to the tables or to the term extraction. An index of another version is rebuilt. */
export const INDEX_VERSION = "3";

/**
 * The tables of the index of one folder. The unit of ranking is a document, or a few passages of a long one. The terms
 * are computed beforehand, so the tokenizer only splits at spaces: `ascii` treats every character above 127 as part of
 * a word. `unit_terms` stores no text; `passages` stores the text and its terms in order.
 */
export const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    modified_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    hash TEXT NOT NULL,
    checked_at INTEGER NOT NULL,
    skipped TEXT,
    title TEXT,
    url TEXT,
    host TEXT,
    published_at TEXT,
    site_name TEXT,
    language TEXT,
    stems TEXT
  ) STRICT;
  CREATE INDEX files_by_stems ON files (stems);
  CREATE TABLE units (id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL REFERENCES files (id)) STRICT;
  CREATE INDEX units_by_file ON units (file_id);
  CREATE TABLE passages (
    unit_id INTEGER NOT NULL REFERENCES units (id),
    number INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    terms TEXT NOT NULL,
    PRIMARY KEY (unit_id, number)
  ) STRICT;
  CREATE VIRTUAL TABLE unit_terms USING fts5 (
    title, headings, body, content = '', contentless_delete = 1, tokenize = 'ascii'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (unit_terms, row);
  CREATE TABLE known_terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE) STRICT;
  CREATE VIRTUAL TABLE term_trigrams USING fts5 (term, content = '', tokenize = 'trigram');
`;
