import { HOUR, KIB, MIB, MINUTE, SECOND, type StatedNumber, testStatedNumbers } from "./stated-number.ts";

const SOURCE = "protocol/src/schemas/tool-source";
const MANIFEST = "protocol/src/manifest-limits";
const LIST = "mcp/src/client/list-tools";
const OPENAPI = "tool-definitions/src/openapi/openapi-import";
const READ = "gateway/src/tool-sources/openapi/read-openapi";

const TOOL_SOURCES: readonly StatedNumber[] = [
  ["tool-sources-reference", /`syncIntervalSeconds` \| (\d+) \|/, `${SOURCE} DEFAULT_SYNC_INTERVAL_SECONDS`],
  ["tool-sources-reference", /size of a handler's manifest \| (\d+) MiB/, `${MANIFEST} MAX_MANIFEST_BYTES`, MIB],
  ["tool-sources-reference", /list of an MCP server \| (\d+) MiB/, `${LIST} MAX_LIST_BYTES`, MIB],
  ["tool-sources-reference", /list of an MCP server \| 8 MiB, (\d+) pages/, `${LIST} MAX_LIST_PAGES`],
  ["tool-sources-reference", /tools of a source \| ([\d,]+) /, `${SOURCE} MAX_TOOLS_PER_SOURCE`],
  ["tool-sources-reference", /description of a tool \| (\d+) KiB/, `${MANIFEST} MAX_MANIFEST_DESCRIPTION_BYTES`, KIB],
  ["tool-sources-reference", /JSON Schema of a tool \| (\d+) KiB/, `${MANIFEST} MAX_MANIFEST_SCHEMA_BYTES`, KIB],
  ["tool-sources-reference", /JSON Schema of a tool \| 64 KiB, (\d+) levels/, `${MANIFEST} MAX_MANIFEST_SCHEMA_DEPTH`],
  [
    "tool-sources-reference",
    /tools of all sources of a workspace \| ([\d,]+) /,
    `${SOURCE} MAX_SOURCE_TOOLS_PER_WORKSPACE`,
  ],
  ["tool-sources-reference", /duration of a sync \| (\d+) s/, "gateway/src/tool-sources/port SYNC_TIMEOUT_MS", SECOND],
  ["tool-sources-reference", /sources of a workspace \| (\d+) /, `${SOURCE} MAX_TOOL_SOURCES`],
  [
    "tool-sources-reference",
    /tries again after (\w+) minute/,
    "gateway/src/tool-sources/sync-times FIRST_BACKOFF_MS",
    MINUTE,
  ],
  [
    "tool-sources-reference",
    /each additional failure, up to (\w+) hour/,
    "gateway/src/tool-sources/sync-times MAX_BACKOFF_MS",
    HOUR,
  ],
  [
    "tool-sources-reference",
    /`UNKNOWN_TOOL`, at most once (\w+) minute/,
    "gateway/src/tool-sources/port UNKNOWN_TOOL_SPACING_MS",
    MINUTE,
  ],
  [
    "tool-sources-reference",
    /A name of more than (\d+) characters/,
    "protocol/src/schemas/tool-name MAX_TOOL_NAME_LENGTH",
  ],
  [
    "tool-sources-reference",
    /followed by `_` and (\d+) hex digits/,
    "tool-sources/src/sourced-tool-name HASH_CHARACTERS",
  ],
];

const OPENAPI_SOURCES: readonly StatedNumber[] = [
  ["openapi-sources", /follows up to (\d+) redirects/, "egress/src/revalidated-redirects MAX_REDIRECTS"],
  ["openapi-sources", /with the reasons, up to (\d+)/, "gateway/src/tool-sources/skipped-tools MAX_SHOWN"],
  [
    "openapi-sources",
    /fetched document \| (\d+) MiB/,
    "gateway/src/tool-sources/openapi/fetch-document MAX_DOCUMENT_BYTES",
    MIB,
  ],
  [
    "openapi-sources",
    /request with `document` \| (\d+) MiB/,
    "gateway/src/http/routes/tool-sources MAX_BODY_BYTES",
    MIB,
  ],
  ["openapi-sources", /size of YAML \| ([\d,]+) characters/, `${OPENAPI} maxYamlCharacters`],
  ["openapi-sources", /levels in the document \| ([\d,]+) values/, `${OPENAPI} maxNodes`],
  ["openapi-sources", /1,000,000 values, (\d+) levels/, `${OPENAPI} maxDepth`],
  ["openapi-sources", /operations in a document \| ([\d,]+) /, `${READ} MAX_OPERATIONS`],
  ["openapi-sources", /`exclude` select \| ([\d,]+) /, `${SOURCE} MAX_TOOLS_PER_SOURCE`],
  ["openapi-sources", /duration of a sync \| (\d+) s/, "gateway/src/tool-sources/port SYNC_TIMEOUT_MS", SECOND],
  ["openapi-sources", /reading a fetched document \| (\d+) s/, `${OPENAPI} timeoutMs`, SECOND],
  ["openapi-sources", /JSON Schema of a tool \| (\d+) KiB/, `${MANIFEST} MAX_MANIFEST_SCHEMA_BYTES`, KIB],
  ["openapi-sources", /64 KiB, (\d+) levels \| the operation/, `${MANIFEST} MAX_MANIFEST_SCHEMA_DEPTH`],
  [
    "openapi-sources",
    /nested schemas of a parameter \| (\d+) levels/,
    "tool-definitions/src/openapi/convert-schema MAX_DEPTH",
  ],
];

testStatedNumbers([...TOOL_SOURCES, ...OPENAPI_SOURCES]);
