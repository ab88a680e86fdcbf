import type { ComposedToolDefinition, JsonObject, JsonValue } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import {
  COMPOSED_TOOL_CODES,
  COMPOSED_TOOL_WARNING_CODES,
} from "../../../../tool-definitions/src/placeholders/composed-tool-code.ts";
import { check, composed, request, summarised, takes, typed } from "./composed-world.ts";

const ARGS = "tools[0].implementation.args";
const PRIMITIVE = "tools[0].implementation.primitive";

/** `levels` lists around a text. */
function nested(levels: number): JsonValue {
  let value: JsonValue = "x";
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

/** Tools that hand on to the next, and the last to the calculator. */
function chain(length: number): readonly ComposedToolDefinition[] {
  const last = composed("t0", "calculator", { expression: "1+1" });
  const others = Array.from({ length: length - 1 }, (_, index) => composed(`t${index + 1}`, `t${index}`, {}));
  return [...others.reverse(), last];
}

const calculate = (args: JsonObject, ...parameters: string[]) =>
  composed("sum", "calculator", args, takes(...parameters));

const REFUSED: readonly (readonly [what: string, tools: readonly ComposedToolDefinition[], found: string[]])[] = [
  ["arguments of many megabytes", [request({ body: "x".repeat(140_000) })], [`${ARGS}: ARGS_TOO_LARGE`]],
  ["arguments nested too deeply", [request({ body: nested(100_000) })], [`${ARGS}: ARGS_TOO_LARGE`]],
  [
    "more placeholders than each call should read",
    [request({ body: [...Array(40).fill("${a}".repeat(25)), "${a}"] }, "a")],
    [`${ARGS}: ARGS_TOO_LARGE`],
  ],
  [
    "a URL that no request can have",
    [request({ url: "https://api.example.com/".padEnd(8_193, "x") })],
    [`${ARGS}.url: INVALID_URL`],
  ],
  [
    "parameters that no placeholder can name",
    [request({}, "secrets", "first.name", "")],
    ["secrets", "first.name", ""].map((name) => `tools[0].parameters.properties.${name}: BAD_PARAMETER_NAME`),
  ],
  ["a broken placeholder", [request({ body: "${a b}" })], [`${ARGS}.body: BAD_PLACEHOLDER`]],
  ["a secret in lower case", [request({ body: "${secrets.api_key}" })], [`${ARGS}.body: BAD_PLACEHOLDER`]],
  ["itself", [composed("a", "a", {})], [`${PRIMITIVE}: DELEGATION_CYCLE`]],
  [
    "a circle, told to each tool in it or before it",
    [composed("a", "b", {}), composed("b", "c", {}), composed("c", "b", {})],
    [0, 1, 2].map((index) => `tools[${index}].implementation.primitive: DELEGATION_CYCLE`),
  ],
  ["six delegations", chain(7), [`${PRIMITIVE}: DELEGATION_TOO_DEEP`]],
  [
    "headers that are the gateway's own",
    [request({ headers: { HOST: "x", "Proxy-Authorization": "x", "accept-encoding": "gzip" } })],
    ["HOST", "Proxy-Authorization", "accept-encoding"].map((name) => `${ARGS}.headers.${name}: FORBIDDEN_HEADER`),
  ],
  [
    "constructor as a name",
    [request({ body: { a: [{ constructor: 1 }] } })],
    [`${ARGS}.body.a[0].constructor: FORBIDDEN_KEY`],
  ],
  ["a GET with a body", [request({ method: "GET", body: 1 })], [`${ARGS}.body: INVALID_ARG`]],
  [
    "headers and query that are no objects",
    [request({ headers: "X: 1", query: ["a"] })],
    [`${ARGS}.headers: INVALID_ARG`, `${ARGS}.query: INVALID_ARG`],
  ],
  ["fixed arguments that the built-in refuses", [calculate({ expression: 5 })], [`${ARGS}: INVALID_ARG`]],
  [
    "a header with a space in its name",
    [request({ headers: { "x y": "1" } })],
    [`${ARGS}.headers.x y: INVALID_HEADER_NAME`],
  ],
  ["a header twice", [request({ headers: { "X-A": "1", "x-a": "2" } })], [`${ARGS}.headers.x-a: INVALID_HEADER_NAME`]],
  [
    "header values that can't be sent",
    [request({ headers: { a: "1\n2", b: " 1", c: "é" } })],
    ["a", "b", "c"].map((name) => `${ARGS}.headers.${name}: INVALID_HEADER_VALUE`),
  ],
  [
    "the fixed part of a header value",
    [request({ headers: { a: "1\n${b}" } }, "b")],
    [`${ARGS}.headers.a: INVALID_HEADER_VALUE`],
  ],
  ["an unknown method", [request({ method: "TRACE" })], [`${ARGS}.method: INVALID_METHOD`]],
  ["a method in lower case", [request({ method: "get" })], [`${ARGS}.method: INVALID_METHOD`]],
  ...[
    "ftp://api.example.com/",
    "api.example.com/v1",
    "https://",
    "https://user:pw@api.example.com/",
    "https://@api.example.com/",
    "https://api.example.com:99999/",
    "https://api.example.com/v1#top",
    "https://api.example.com/v1/../admin",
    "https://api.example.com/v1/%2E%2e/admin",
    "https://api.example.com/a b",
    "https://api.example.com/a\\b",
    "https://api.example.com/a\tb",
    "https://api.example.com/%zz",
    "https://api.example.com/é",
    7,
  ]
    .map((url) => [`the URL ${url}`, [request({ url })], [`${ARGS}.url: INVALID_URL`]] as const)
    .map(([what, tools, found]): [string, ComposedToolDefinition[], string[]] => [what, [...tools], [...found]]),
  [
    "half of an escape before a placeholder",
    [request({ url: "https://api.example.com/%${a}" }, "a")],
    [`${ARGS}.url: INVALID_URL`],
  ],
  [
    "no method and no URL",
    [composed("a", "http_request", {})],
    [`${ARGS}.method: MISSING_ARG`, `${ARGS}.url: MISSING_ARG`],
  ],
  ["an argument that the next tool needs", [calculate({})], [`${ARGS}.expression: MISSING_ARG`]],
  [
    "objects and null where only text goes",
    [request({ headers: { a: null, b: ["x"] }, query: { c: { d: 1 }, e: [[1]], f: null } })],
    [".headers.a", ".headers.b", ".query.c", ".query.e", ".query.f"].map((at) => `${ARGS}${at}: NOT_A_SCALAR`),
  ],
  [
    "a number where a calculation goes",
    [composed("sum", "calculator", { expression: "${a}" }, typed({ a: { type: "number" } }))],
    [`${ARGS}.expression: PARAMETER_TYPE_MISMATCH`],
  ],
  ...["https://${a}", "https://api.example.com${a}", "https://${a}.example.com/", "${a}://x/", "https:/${a}/", "//${a}"]
    .map((url) => request({ url }, "a"))
    .map((tool): [string, ComposedToolDefinition[], string[]] => [
      `the URL ${tool.implementation.args["url"]}`,
      [tool],
      [`${ARGS}.url: PLACEHOLDER_IN_AUTHORITY`],
    ]),
  [
    "the name of a header",
    [request({ headers: { "x-${a}": "1" } }, "a")],
    [`${ARGS}.headers.x-\${a}: PLACEHOLDER_IN_KEY`],
  ],
  [
    "a name in the query",
    [request({ url: "https://api.example.com/?${a}=1" }, "a")],
    [`${ARGS}.url: PLACEHOLDER_IN_KEY`],
  ],
  [
    "a pair of the query",
    [request({ url: "https://api.example.com/?${a}" }, "a")],
    [`${ARGS}.url: PLACEHOLDER_IN_KEY`],
  ],
  ["the method", [request({ method: "${a}" }, "a")], [`${ARGS}.method: PLACEHOLDER_IN_METHOD`]],
  [
    "the name of what it is made of",
    [
      { ...calculate({ expression: "1" }), name: "calculator" },
      { ...request({}), name: "http_request" },
    ],
    ["tools[0].name: RESERVED_NAME", "tools[1].name: RESERVED_NAME"],
  ],
  ["a secret without hosts", [request({ body: "${secrets.HOMELESS}" })], [`${ARGS}.body: SECRET_HOST_MISMATCH`]],
  [
    "a secret of hosts below the host",
    [request({ url: "https://example.com/", body: "${secrets.WIDE}" })],
    [`${ARGS}.body: SECRET_HOST_MISMATCH`],
  ],
  [
    "a secret in a calculation",
    [calculate({ expression: "${secrets.API_KEY}" })],
    [`${ARGS}.expression: SECRET_NOT_ALLOWED_HERE`],
  ],
  ["arguments that nobody takes", [request({ timeout: 5 })], [`${ARGS}.timeout: UNKNOWN_ARG`]],
  [
    "a query for a webhook, and a method",
    [composed("a", "webhook", { url: "https://x.example/", method: "POST", query: {} })],
    [`${ARGS}.method: UNKNOWN_ARG`, `${ARGS}.query: UNKNOWN_ARG`],
  ],
  [
    "an argument that the next tool has not",
    [composed("a", "b", { x: 1 }), composed("b", "calculator", { expression: "1" })],
    [`${ARGS}.x: UNKNOWN_ARG`],
  ],
  ["a parameter that is not there", [request({ body: { a: "x ${b}" } })], [`${ARGS}.body.a: UNKNOWN_PLACEHOLDER`]],
  ...["shell", "file", "web_search", "api_call", "http_get"].map(
    (primitive): [string, ComposedToolDefinition[], string[]] => [
      `the primitive ${primitive}`,
      [composed("a", primitive, {})],
      [`${PRIMITIVE}: UNKNOWN_PRIMITIVE`],
    ],
  ),
  ["a secret that is not there", [request({ body: "${secrets.NOPE}" })], [`${ARGS}.body: UNKNOWN_SECRET`]],
  ["a tool of another kind", [composed("a", "lookup_order", {})], [`${PRIMITIVE}: UNKNOWN_TOOL`]],
  ["a tool by its name in upper case", [composed("a", "B", {}), ...chain(1)], [`${PRIMITIVE}: UNKNOWN_TOOL`]],
  [
    "a milder side effect than that of the tool behind it",
    [
      { ...composed("a", "send", {}), sideEffect: "read_only" },
      { ...request({}), sideEffect: "destructive" },
    ],
    ["tools[0].sideEffect: WEAKER_THAN_TARGET"],
  ],
  [
    "a milder risk than that of a tool further behind it",
    [
      { ...composed("a", "b", {}), risk: "draft_write" },
      composed("b", "send", {}),
      { ...request({}), sideEffect: "destructive" },
    ],
    ["tools[0].risk: WEAKER_THAN_TARGET"],
  ],
];

describe("composed tools that are saved", () => {
  it.each(REFUSED)("are refused with %s", (_what, tools, found) => {
    const findings = check(...tools).filter(({ severity }) => severity === "error");
    expect(summarised(findings)).toEqual(found);
    for (const { message } of findings) expect(message).toMatch(/^(expected|[\w-]+ is set by|the arguments do not)/);
  });

  it("cover every error code", () => {
    const codes = new Set(REFUSED.flatMap(([, , found]) => found.map((text) => text.split(": ").at(-1))));
    expect([...codes].sort()).toEqual([...COMPOSED_TOOL_CODES].sort());
  });

  it("get all findings at once, each with its path", () => {
    const tool = request(
      {
        method: "${m}",
        url: "https://${secrets.NOPE}/",
        headers: { Host: "x", "X-A": "${nope}" },
        query: { "${k}": 1 },
        body: { deep: [{ text: "${secrets.API_KEY} ${" }] },
      },
      "m",
    );
    expect(summarised(check(tool))).toEqual([
      `${ARGS}.method: PLACEHOLDER_IN_METHOD`,
      `${ARGS}.url: PLACEHOLDER_IN_AUTHORITY`,
      `${ARGS}.headers.Host: FORBIDDEN_HEADER`,
      `${ARGS}.headers.X-A: UNKNOWN_PLACEHOLDER`,
      `${ARGS}.query.\${k}: PLACEHOLDER_IN_KEY`,
      `${ARGS}.body.deep[0].text: BAD_PLACEHOLDER`,
      `${ARGS}.url: UNKNOWN_SECRET`,
      `${ARGS}: UNUSED_PARAMETER`,
    ]);
  });

  it.each<[string, readonly ComposedToolDefinition[]]>([
    ["a request with everything", [request({ headers: { "x-a": 1 }, query: { a: [1, "x"], b: true }, body: [{}] })]],
    ["a secret for a host below its domain", [request({ body: "${secrets.WIDE}" })]],
    [
      "a secret for its host on another port",
      [request({ url: "https://api.example.com:8443/", body: "${secrets.API_KEY}" })],
    ],
    ["a host with a dot at its end", [request({ url: "https://api.example.com./", body: "${secrets.API_KEY}" })]],
    ["an IPv6 address", [request({ url: "https://[2606:4700::1111]/" })]],
    ["a URL of 8,192 characters", [request({ url: "https://api.example.com/".padEnd(8_192, "x") })]],
    ["a URL without a path", [request({ url: "https://api.example.com" })]],
    ["a query right behind the host", [request({ url: "https://api.example.com?q=${q}" }, "q")]],
    ["a placeholder in a fragment of a segment", [request({ url: "https://api.example.com/item-${id}.json" }, "id")]],
    ["a webhook", [composed("a", "webhook", { url: "https://x.example/", headers: {}, body: "x" })]],
    ["five delegations", chain(6)],
    ["1,000 placeholders", [request({ body: Array(40).fill("${a}".repeat(25)) }, "a")]],
    ["a built-in by its other name", [composed("a", "summarizer", { text: "${text}" }, takes("text"))]],
  ])("are accepted with %s", (_what, tools) => {
    expect(check(...tools)).toEqual([]);
  });

  it.each<[string, ComposedToolDefinition, string]>([
    ["an optional parameter inside a text", request({ body: "x ${a}" }, "a?"), `${ARGS}.body: OPTIONAL_PARAMETER`],
    [
      "an optional parameter in the path",
      request({ url: "https://a.example/${a}" }, "a?"),
      `${ARGS}.url: OPTIONAL_PARAMETER`,
    ],
    [
      "a credential that everybody can read",
      request({ headers: { "X-Api-Key": "k" } }),
      `${ARGS}.headers.X-Api-Key: PLAIN_CREDENTIAL`,
    ],
    ["a parameter without effect", request({}, "a"), `${ARGS}: UNUSED_PARAMETER`],
    [
      "an optional parameter that the next tool needs",
      composed("sum", "calculator", { expression: "${a}" }, takes("a?")),
      `${ARGS}.expression: OPTIONAL_PARAMETER`,
    ],
    ["an optional item in a list", request({ body: ["x", "${a}", "y"] }, "a?"), `${ARGS}.body[1]: OPTIONAL_ITEM`],
    [
      "a parameter that may be null where a calculation goes",
      composed("sum", "calculator", { expression: "${a}" }, typed({ a: { type: ["string", "null"] } })),
      `${ARGS}.expression: PARAMETER_MAY_NOT_FIT`,
    ],
    [
      "an object inside a text of a body",
      composed(
        "send",
        "http_request",
        { method: "POST", url: "https://x.example/", body: "x ${a}" },
        typed({ a: { type: "object" } }),
      ),
      `${ARGS}.body: PARAMETER_TYPE_MISMATCH`,
    ],
  ])("come with a warning of %s", (_what, tool, found) => {
    const findings = check(tool);
    expect(summarised(findings)).toEqual([found]);
    expect(findings[0]?.severity).toBe("warning");
    expect(COMPOSED_TOOL_WARNING_CODES.some((code) => found.endsWith(code))).toBe(true);
  });
});

it.each([
  ["HOMELESS", "no hosts"],
  ["WIDE", "the hosts *.example.com"],
])("a secret that may not be sent to the host is refused with its hosts: %s", (name, hosts) => {
  const [finding] = check(request({ url: "https://example.com/", body: `\${secrets.${name}}` }));
  expect(finding?.message).toBe(`expected a secret that may be sent to example.com; ${name} has ${hosts}`);
});
