/**
 * The accepted definitions of sources that rule versions of workspace tools. A version of a tool that followed a source
 * before is ruled by the definition that is accepted now; without one, by none that could run.
 */
export const ruledVersions0026 = `
  CREATE TABLE ruled_versions (
    tool_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    source_id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (tool_id, version)
  ) STRICT;
  CREATE INDEX ruled_versions_by_definition ON ruled_versions (source_id, name, hash);
  INSERT INTO ruled_versions (tool_id, version, source_id, name, hash)
  SELECT v.tool_id, v.version, a.source_id, a.name, coalesce(t.accepted_hash, '')
  FROM adopted_tools a
  JOIN tool_versions v ON v.tool_id = a.tool_id
  LEFT JOIN tool_source_tools t ON t.source_id = a.source_id AND t.name = a.name;
`;
