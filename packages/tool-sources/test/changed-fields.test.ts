import { expect, it } from "vitest";
import { changedFields } from "../src/changed-fields.ts";
import { compileTool } from "../src/compile-tool.ts";
import type { CompileSettings, DescribedTool, RawOperation } from "../src/port.ts";

const HANDLER = { url: "https://a.example/", signingSecret: "default", defaults: {}, overrides: {} };
const handler: CompileSettings = { name: "shop", kind: "handler", ...HANDLER };
const mcp: CompileSettings = { name: "shop", kind: "mcp", url: HANDLER.url, auth: null, defaults: {}, overrides: {} };
const openapi: CompileSettings = {
  ...{ name: "shop", kind: "openapi", url: HANDLER.url, auth: null, credential: null, credentials: {} },
  ...{ defaults: {}, overrides: {} },
};
const parameters = { type: "object", properties: { id: { type: "string" }, at: {} }, required: ["id", "at"] };
const tool: DescribedTool = { name: "lookup", description: "Look up.", parameters };
const rest: RawOperation["rest"] = {
  ...{ name: "read", description: "Read.", url: "https://a.example/{id}", parameters: [] },
  method: "GET",
};
const operation: RawOperation = { name: "read", rest, scheme: null, security: [] };

it.each<
  [string, [typeof tool | RawOperation, CompileSettings], [typeof tool | RawOperation, CompileSettings], string[]]
>([
  ["nothing", [tool, handler], [tool, handler], []],
  [
    "only the order of required",
    [tool, handler],
    [{ ...tool, parameters: { ...parameters, required: ["at", "id"] } }, handler],
    [],
  ],
  [
    "texts and parameters",
    [tool, handler],
    [{ ...tool, description: "x", parameters: {}, usageNotes: "y" }, handler],
    ["description", "parameters", "usageNotes"],
  ],
  ["an output schema", [tool, handler], [{ ...tool, outputSchema: { type: "string" } }, handler], ["outputSchema"]],
  [
    "the URL and the secret of a handler",
    [tool, handler],
    [tool, { ...handler, url: "https://b.example/", signingSecret: "other" }],
    ["signingSecret", "url"],
  ],
  [
    "call options",
    [tool, handler],
    [{ ...tool, timeout: 5, sideEffect: "read_only" }, handler],
    ["sideEffect", "timeout"],
  ],
  [
    "the URL and the credential of an MCP server",
    [tool, mcp],
    [tool, { ...mcp, url: "https://b.example/", auth: { credential: "KEY" } }],
    ["auth", "url"],
  ],
  [
    "the method and the URL of an operation",
    [operation, openapi],
    [{ ...operation, rest: { ...rest, method: "POST", url: "https://b.example/" } }, openapi],
    ["method", "url"],
  ],
  [
    "the security of an operation",
    [operation, openapi],
    [{ ...operation, scheme: "key", security: [{ key: [] }] }, openapi],
    ["scheme", "security"],
  ],
])("the changed fields of a tool with %s changed", (_what, before, after, fields) => {
  expect(changedFields(compileTool(...before), compileTool(...after))).toEqual(fields);
});
