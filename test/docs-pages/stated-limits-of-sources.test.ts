import { expect, it } from "vitest";
import { sourceNumber, statedNumber } from "./stated-number.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const KIB = 1_024;
const MIB = 1_048_576;

const SOURCE = "protocol/src/schemas/tool-source";
const MANIFEST = "protocol/src/manifest-limits";
const LIST = "mcp/src/client/list-tools";
const OPENAPI = "tool-definitions/src/openapi/openapi-import";
const READ = "gateway/src/tool-sources/openapi/read-openapi";

type Row = readonly [sentence: RegExp, where: string, unit?: number];

const TOOL_SOURCES: readonly Row[] = [
  [/`syncIntervalSeconds` \| (\d+) \|/, `${SOURCE} DEFAULT_SYNC_INTERVAL_SECONDS`],
  [/size of a handler's manifest \| (\d+) MiB/, `${MANIFEST} MAX_MANIFEST_BYTES`, MIB],
  [/list of an MCP server \| (\d+) MiB/, `${LIST} MAX_LIST_BYTES`, MIB],
  [/list of an MCP server \| 8 MiB, (\d+) pages/, `${LIST} MAX_LIST_PAGES`],
  [/tools of a source \| ([\d,]+) /, `${SOURCE} MAX_TOOLS_PER_SOURCE`],
  [/description of a tool \| (\d+) KiB/, `${MANIFEST} MAX_MANIFEST_DESCRIPTION_BYTES`, KIB],
  [/JSON Schema of a tool \| (\d+) KiB/, `${MANIFEST} MAX_MANIFEST_SCHEMA_BYTES`, KIB],
  [/JSON Schema of a tool \| 64 KiB, (\d+) levels/, `${MANIFEST} MAX_MANIFEST_SCHEMA_DEPTH`],
  [/tools of all sources of a workspace \| ([\d,]+) /, `${SOURCE} MAX_SOURCE_TOOLS_PER_WORKSPACE`],
  [/duration of a sync \| (\d+) s/, "gateway/src/tool-sources/port SYNC_TIMEOUT_MS", SECOND],
  [/sources of a workspace \| (\d+) /, `${SOURCE} MAX_TOOL_SOURCES`],
  [/tries again after (\w+) minute/, "gateway/src/tool-sources/sync-times FIRST_BACKOFF_MS", MINUTE],
  [/each further failure, up to (\w+) hour/, "gateway/src/tool-sources/sync-times MAX_BACKOFF_MS", HOUR],
  [/`UNKNOWN_TOOL`, at most once (\w+) minute/, "gateway/src/tool-sources/port UNKNOWN_TOOL_SPACING_MS", MINUTE],
  [/A name of more than (\d+) characters/, "protocol/src/schemas/tool-name MAX_TOOL_NAME_LENGTH"],
  [/followed by `_` and (\d+) hex digits/, "tool-sources/src/sourced-tool-name HASH_CHARACTERS"],
];

const OPENAPI_SOURCES: readonly Row[] = [
  [/follows up to (\d+) redirects/, "egress/src/revalidated-redirects MAX_REDIRECTS"],
  [/with the reasons, up to (\d+)/, "gateway/src/tool-sources/skipped-tools MAX_SHOWN"],
  [/fetched document \| (\d+) MiB/, "gateway/src/tool-sources/openapi/fetch-document MAX_DOCUMENT_BYTES", MIB],
  [/request with `document` \| (\d+) MiB/, "gateway/src/http/routes/tool-sources MAX_BODY_BYTES", MIB],
  [/size of YAML \| ([\d,]+) characters/, `${OPENAPI} maxYamlCharacters`],
  [/levels in the document \| ([\d,]+) values/, `${OPENAPI} maxNodes`],
  [/1,000,000 values, (\d+) levels/, `${OPENAPI} maxDepth`],
  [/operations in a document \| ([\d,]+) /, `${READ} MAX_OPERATIONS`],
  [/`exclude` select \| ([\d,]+) /, `${SOURCE} MAX_TOOLS_PER_SOURCE`],
  [/duration of a sync \| (\d+) s/, "gateway/src/tool-sources/port SYNC_TIMEOUT_MS", SECOND],
  [/reading a fetched document \| (\d+) s/, `${OPENAPI} timeoutMs`, SECOND],
  [/JSON Schema of a tool \| (\d+) KiB/, `${MANIFEST} MAX_MANIFEST_SCHEMA_BYTES`, KIB],
  [/64 KiB, (\d+) levels \| the operation/, `${MANIFEST} MAX_MANIFEST_SCHEMA_DEPTH`],
  [/nested schemas of a parameter \| (\d+) levels/, "tool-definitions/src/openapi/convert-schema MAX_DEPTH"],
];

const PAGES: readonly (readonly [page: string, rows: readonly Row[]])[] = [
  ["tool-sources", TOOL_SOURCES],
  ["openapi-sources", OPENAPI_SOURCES],
];

for (const [page, rows] of PAGES) {
  for (const [sentence, where, unit = 1] of rows) {
    it(`docs/${page}.md: ${sentence} is ${where}`, () => {
      expect(statedNumber(page, sentence)).toBe(sourceNumber(where) / unit);
    });
  }
}
