import { restDefinitionSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { check, found, restTool } from "./rest-world.ts";

type Change = Parameters<typeof restTool>[0];
type Parameters_ = NonNullable<NonNullable<Change>["parameters"]>;

const inPath: Parameters_[number] = { name: "orderId", in: "path", type: "string" };
const withParameter = (parameter: Parameters_[number], change: Change = {}): Change => ({
  parameters: [inPath, parameter],
  ...change,
});
const posting = (parameter: Parameters_[number], change: Change = {}): Change =>
  withParameter(parameter, { method: "POST", sideEffect: "non_idempotent_write", ...change });
const withUrl = (url: string): Change => ({ url, parameters: [] });

describe("a definition", () => {
  it("with nothing wrong has no findings", async () => {
    expect(await check(restTool({ credential: "ORDERS_KEY" }))).toEqual([]);
  });

  it.each<[string, Change, string, string]>([
    ["http", withUrl("http://api.example.com/orders"), "rest.url", "none"],
    ["http to a public address", withUrl("http://93.184.216.34/"), "rest.url", "URL_NOT_ALLOWED"],
    ["https to an address inside", withUrl("https://192.168.0.1/"), "rest.url", "URL_NOT_ALLOWED"],
    ["a port of its own", withUrl("https://api.example.com:8443/"), "rest.url", "none"],
    ["ftp", withUrl("ftp://api.example.com/"), "rest.url", "INVALID_URL"],
    ["no scheme", withUrl("api.example.com/orders"), "rest.url", "INVALID_URL"],
    ["a space", withUrl("https://api.example.com/a b"), "rest.url", "INVALID_URL"],
    ["a backslash", withUrl("https://api.example.com\\@evil.example/"), "rest.url", "INVALID_URL"],
    ["no host", withUrl("https:///orders"), "rest.url", "INVALID_URL"],
    ["a user name", withUrl("https://me@api.example.com/"), "rest.url", "USERINFO"],
    ["a password", withUrl("https://me:pass@api.example.com/"), "rest.url", "USERINFO"],
    ["a fragment", withUrl("https://api.example.com/#top"), "rest.url", "FRAGMENT"],
    ["a variable host", withUrl("https://{orderId}.example.com/"), "rest.url", "VARIABLE_AUTHORITY"],
    ["a template of another kind in the host", withUrl("https://$host/"), "rest.url", "VARIABLE_AUTHORITY"],
    [
      "a placeholder in the query",
      withUrl("https://api.example.com/?q={orderId}"),
      "rest.url",
      "MISPLACED_PLACEHOLDER",
    ],
    ["an empty placeholder", withUrl("https://api.example.com/{}"), "rest.url", "INVALID_PLACEHOLDER"],
    ["an open placeholder", withUrl("https://api.example.com/{orderId"), "rest.url", "INVALID_PLACEHOLDER"],
    ["a segment of two dots", withUrl("https://api.example.com/a/../b"), "rest.url", "DOT_SEGMENT"],
    ["an encoded dot", withUrl("https://api.example.com/a/%2E/b"), "rest.url", "DOT_SEGMENT"],
    ["an unknown placeholder", withUrl("https://api.example.com/{orderId}"), "rest.url", "UNKNOWN_PLACEHOLDER"],
  ])("whose url has %s", async (_case, change, path, code) => {
    expect(await found(restTool(change), "error")).toEqual(code === "none" ? [] : [[path, code]]);
  });

  it.each<[string, Change, string, string]>([
    ["unused in the path", withParameter({ name: "x", in: "path", type: "string" }), "", "UNUSED_PARAMETER"],
    [
      "a second time in the url's query",
      withParameter({ name: "v", in: "query", type: "string" }, { url: "https://api.example.com/{orderId}?v=2" }),
      "",
      "DUPLICATE_WIRE_NAME",
    ],
    ["of a known name", withParameter({ ...inPath, in: "query" }), ".name", "DUPLICATE_NAME"],
    ["optional in the path", { parameters: [{ ...inPath, required: false }] }, ".required", "PATH_PARAMETER_OPTIONAL"],
    ["a list in the path", { parameters: [{ ...inPath, type: "array" }] }, ".type", "UNSUPPORTED_TYPE"],
    ["an object in the query", withParameter({ name: "q", in: "query", type: "object" }), ".type", "UNSUPPORTED_TYPE"],
    ["in the body of a GET", withParameter({ name: "b", in: "body", type: "string" }), ".in", "BODY_NOT_ALLOWED"],
    ["named __proto__", posting({ name: "__proto__", in: "body", type: "string" }), ".name", "FORBIDDEN_NAME"],
    [
      "constructor in the body",
      posting({ name: "c", wireName: "constructor", in: "body", type: "string" }),
      ".wireName",
      "FORBIDDEN_NAME",
    ],
    ["the header host", withParameter({ name: "Host", in: "header", type: "string" }), ".name", "FORBIDDEN_HEADER"],
    [
      "a header of the proxy",
      withParameter({ name: "p", wireName: "Proxy-Connection", in: "header", type: "string" }),
      ".wireName",
      "FORBIDDEN_HEADER",
    ],
    [
      "a header with a space",
      withParameter({ name: "p", wireName: "X Y", in: "header", type: "string" }),
      ".wireName",
      "FORBIDDEN_HEADER",
    ],
    [
      "a content type of the model's choice",
      posting({ name: "Content-Type", in: "header", type: "string" }),
      ".name",
      "FORBIDDEN_HEADER",
    ],
    [
      "a content type that is not JSON",
      posting({ name: "Content-Type", in: "header", type: "string", value: "text/xml" }),
      ".name",
      "FORBIDDEN_HEADER",
    ],
    [
      "nullable in the query",
      withParameter({ name: "q", in: "query", type: "string", nullable: true }),
      ".nullable",
      "NULL_NOT_WRITABLE",
    ],
    [
      "a list format in JSON",
      posting({ name: "b", in: "body", type: "array", arrayFormat: "comma", schema: { items: {} } }),
      ".arrayFormat",
      "ARRAY_FORMAT_UNUSED",
    ],
    [
      "with a type in its schema",
      withParameter({ name: "q", in: "query", type: "string", schema: { type: "number" } }),
      ".schema.type",
      "CONFLICTING_KEYWORD",
    ],
    [
      "with a schema that is none",
      withParameter({ name: "q", in: "query", type: "string", schema: { minLength: "3" } }),
      ".schema.minLength",
      "INVALID_SCHEMA",
    ],
    [
      "with a pattern that is none",
      withParameter({ name: "q", in: "query", type: "string", schema: { pattern: "(" } }),
      ".schema.pattern",
      "INVALID_PATTERN",
    ],
    [
      "with a remote reference",
      withParameter({ name: "q", in: "query", type: "array", schema: { items: { $ref: "https://example.com/a" } } }),
      ".schema.items.$ref",
      "REMOTE_REFERENCE",
    ],
    [
      "fixed to another type",
      withParameter({ name: "q", in: "query", type: "integer", value: "many" }),
      ".value",
      "VALUE_DOES_NOT_FIT",
    ],
    [
      "fixed outside its enum",
      withParameter({ name: "q", in: "query", type: "string", schema: { enum: ["a"] }, value: "b" }),
      ".value",
      "VALUE_DOES_NOT_FIT",
    ],
    [
      "fixed to what is not let through",
      withParameter({ name: "q", in: "query", type: "string", value: "b", allowedValues: ["a"] }),
      ".value",
      "VALUE_NOT_ALLOWED",
    ],
    [
      "with an allowed value of another type",
      withParameter({ name: "q", in: "query", type: "string", allowedValues: ["a", 1] }),
      ".allowedValues[1]",
      "VALUE_DOES_NOT_FIT",
    ],
    [
      "with an allowed item of another type",
      withParameter({
        name: "q",
        in: "query",
        type: "array",
        schema: { items: { type: "string" }, minItems: 2 },
        allowedValues: ["a", 1],
      }),
      ".allowedValues[1]",
      "VALUE_DOES_NOT_FIT",
    ],
    [
      "with an allowed item that has a part of another type",
      {
        ...restTool({ method: "POST" }),
        parameters: [
          ...restTool().parameters,
          {
            name: "lines",
            in: "body",
            type: "array",
            schema: { items: { type: "object", properties: { price: { type: "number" } } } },
            allowedValues: [{ price: 1 }, { price: "much" }],
          },
        ],
      },
      ".allowedValues[1]",
      "VALUE_DOES_NOT_FIT",
    ],
    [
      "with a value that holds a prototype",
      posting({ name: "b", in: "body", type: "object", value: JSON.parse('{"a":{"constructor":1}}') }),
      ".value.a.constructor",
      "FORBIDDEN_KEY",
    ],
  ])("that has a parameter %s", async (_case, change, place, code) => {
    const parameters = change?.parameters ?? [];
    const at = `rest.parameters[${parameters.length - 1}]${place}`;
    expect(await found(restTool(change), "error")).toEqual([[at, code]]);
  });

  it.each<[string, Change]>([
    ["an empty segment", { parameters: [{ ...inPath, value: "" }] }],
    ["a segment of dots", { parameters: [{ ...inPath, value: ".." }] }],
    ["a header with a line break", withParameter({ name: "X-A", in: "header", type: "string", value: "a\r\nb: c" })],
    [
      "an object in a list of the query",
      withParameter({ name: "q", in: "query", type: "array", schema: { items: {} }, value: [{}] }),
    ],
    ["a body over the limit", posting({ name: "b", in: "body", type: "string", value: "é".repeat(40_000) })],
  ])("whose fixed values make %s", async (_case, change) => {
    expect(await found(restTool(change), "error")).toEqual([["rest.parameters", "VALUE_NOT_WRITABLE"]]);
  });

  it.each<[string, Change, readonly (readonly [string, string])[]]>([
    ["goes to its host", { credential: "ORDERS_KEY" }, []],
    ["is bound to no host", { credential: "NOWHERE_KEY" }, [["rest.credential", "CREDENTIAL_HOST"]]],
    ["is bound to names below", { credential: "QUERY_KEY" }, []],
    ["does not exist", { credential: "NONE" }, [["rest.credential", "UNKNOWN_CREDENTIAL"]]],
    ["has no auth", { credential: "TEXT" }, [["rest.credential", "CREDENTIAL_WITHOUT_AUTH"]]],
    ["is bound to another host", { credential: "ELSEWHERE_KEY" }, [["rest.credential", "CREDENTIAL_HOST"]]],
    [
      "shares its header with a parameter",
      withParameter({ name: "x_key", wireName: "x-KEY", in: "header", type: "string" }, { credential: "HEADER_KEY" }),
      [["rest.parameters[1]", "CREDENTIAL_CONFLICT"]],
    ],
    [
      "shares its name with a parameter",
      withParameter({ name: "appid", in: "query", type: "string" }, { credential: "QUERY_KEY" }),
      [["rest.parameters[1]", "CREDENTIAL_CONFLICT"]],
    ],
    [
      "shares its name with the url",
      { credential: "QUERY_KEY", url: "https://api.example.com/{orderId}?appid=1" },
      [["rest.url", "CREDENTIAL_CONFLICT"]],
    ],
  ])("whose credential %s", async (_case, change, expected) => {
    expect(await found(restTool(change), "error")).toEqual(expected);
  });

  it.each<[string, Change, string, string]>([
    [
      "a DELETE with a body",
      withParameter({ name: "b", in: "body", type: "string" }, { method: "DELETE", sideEffect: "destructive" }),
      "rest.parameters",
      "DELETE_WITH_BODY",
    ],
    [
      "a key in a header",
      withParameter({ name: "Authorization", in: "header", type: "string", value: "Bearer abc" }),
      "rest.parameters[1].name",
      "PLAIN_CREDENTIAL",
    ],
    [
      "a list of anything",
      withParameter({ name: "q", in: "query", type: "array" }),
      "rest.parameters[1].schema",
      "ITEMS_UNDESCRIBED",
    ],
    ["a form without fields", { bodyFormat: "form" }, "rest.bodyFormat", "BODY_FORMAT_UNUSED"],
    ["a write that is not declared", { method: "PUT" }, "rest.sideEffect", "SIDE_EFFECT_UNDECLARED"],
  ])("is warned of %s", async (_case, change, path, code) => {
    expect(await found(restTool(change), "error")).toEqual([]);
    expect(await found(restTool(change), "warning")).toEqual([[path, code]]);
  });

  it("may hold a JSON type of another name, and a resource key that reads its parameters", async () => {
    const definition = restTool(
      posting(
        { name: "Content-Type", in: "header", type: "string", value: "application/merge-patch+json" },
        { resourceKey: "order:${orderId}" },
      ),
    );
    expect(await check(definition)).toEqual([]);
  });

  it("names everything that is wrong at once", async () => {
    const definition = restTool({
      url: "https://me@api.example.com/{orderId}",
      method: "GET",
      credential: "NONE",
      resourceKey: "order:${order}",
      parameters: [
        { name: "host", in: "header", type: "string" },
        { name: "host", in: "body", type: "string", schema: { maxLength: -1 } },
      ],
    });
    expect(await found(definition, "error")).toEqual([
      ["rest.url", "USERINFO"],
      ["rest.parameters[0].name", "FORBIDDEN_HEADER"],
      ["rest.parameters[1].name", "DUPLICATE_NAME"],
      ["rest.parameters[1].in", "BODY_NOT_ALLOWED"],
      ["rest.parameters[0].schema.maxLength", "INVALID_SCHEMA"],
      ["rest.credential", "UNKNOWN_CREDENTIAL"],
      ["rest.resourceKey", "UNKNOWN_PARAMETER"],
    ]);
  });

  it.each<[string, object]>([
    ["an unknown field", { timeoutMs: 5 }],
    ["a method of its own", { method: "TRACE" }],
    ["an unknown place", { parameters: [{ name: "a", in: "cookie", type: "string" }] }],
    ["an unknown field of a parameter", { parameters: [{ name: "a", in: "query", type: "string", default: 1 }] }],
    ["a name with a space", { parameters: [{ name: "a b", in: "query", type: "string" }] }],
    [
      "101 parameters",
      { parameters: Array.from({ length: 101 }, (_, n) => ({ name: `p${n}`, in: "query", type: "string" })) },
    ],
    ["an unknown severity", { warnings: [{ severity: "fatal", message: "no" }] }],
  ])("is refused by its shape for %s", (_case, change) => {
    expect(restDefinitionSchema.safeParse({ ...restTool(), ...change }).success).toBe(false);
  });
});

it("lets others run while it looks at a hundred thousand values", async () => {
  const allowedValues = Array.from({ length: 1_000 }, (_, index) => ({ a: { b: index } }));
  const parameters = Array.from({ length: 100 }, (_, index) => {
    return { name: `p${index}`, in: "body", type: "object", allowedValues } as const;
  });
  const tool = restTool({ method: "POST", url: "https://api.example.com/orders", parameters });
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  try {
    expect((await check(tool)).filter(({ severity }) => severity === "error")).toEqual([]);
  } finally {
    clearInterval(timer);
  }
  expect(turns).toBeGreaterThan(50);
});
