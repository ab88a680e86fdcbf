import type { JsonObject, JsonValue } from "@yagate/protocol";
import { bodyText } from "@yagate/tool-definitions/request/body-text";
import { describe, expect, it } from "vitest";
import { composed, refusalOf, render, request, takes } from "./composed-world.ts";

const ITEMS = "https://api.example.com/v1/items";

describe("a value", () => {
  it.each<[string, JsonValue, JsonObject, JsonValue | undefined]>([
    ["${a}", "${a}", { a: { b: [1, null] } }, { b: [1, null] }],
    ["${a} of null", "${a}", { a: null }, null],
    ["${a} of nothing", "${a}", {}, undefined],
    ["nothing inside a list", ["x", "${a}", 1], {}, ["x", 1]],
    ["nothing inside an object", { x: "${a}", y: 1 }, {}, { y: 1 }],
    ["two placeholders", "${a}${a}", { a: 1 }, "11"],
    ["a boolean in text", "is ${a}", { a: false }, "is false"],
    ["a large number in text", "is ${a}", { a: 1e21 }, "is 1e+21"],
    ["an empty text", "", {}, ""],
    ["dollar signs", "$ $$ $a {a} $$${a} $", { a: 1 }, "$ $$ $a {a} $${a} $"],
    ["an escaped name", { "$${a}": 1 }, {}, { "${a}": 1 }],
    ["a secret among text", "k=${secrets.API_KEY};", {}, "k=***API_KEY***;"],
    ["a name of a prototype's", "${toString}", { toString: "own" }, "own"],
  ])("%s", (_what, body, parameters, rendered) => {
    const names = ["a?", "toString?"];
    expect(render(request({ body }, ...names), parameters).body).toEqual(rendered);
  });

  it.each<[string, JsonValue, string]>([
    ["null", null, "NOT_A_SCALAR: a must be a string, number or boolean: it is part of a string"],
    ["a list", [1], "NOT_A_SCALAR: a must be a string, number or boolean: it is part of a string"],
    ["an object", {}, "NOT_A_SCALAR: a must be a string, number or boolean: it is part of a string"],
  ])("has no %s inside text", (_what, a, refusal) => {
    expect(refusalOf(request({ body: "x${a}" }, "a"), { a })).toBe(refusal);
  });
});

it.each(["__proto__", "constructor", "prototype"])("arguments with the name %s make no request", (name) => {
  const a = JSON.parse(`{"x":[{"${name}":{}}]}`);
  const refusal = "FORBIDDEN_KEY: the arguments must not have members named __proto__, constructor or prototype";
  expect(refusalOf(request({ body: "${a}" }, "a"), { a })).toBe(refusal);
});

describe("a URL", () => {
  it.each<[template: string, JsonObject, string]>([
    ["https://api.example.com", {}, "https://api.example.com/"],
    ["https://API.example.com:443/x", {}, "https://api.example.com/x"],
    ["http://api.example.com:8080/x", {}, "http://api.example.com:8080/x"],
    ["https://api.example.com//x/", {}, "https://api.example.com//x/"],
    ["https://api.example.com/${a}/${a}", { a: "../x" }, "https://api.example.com/..%2Fx/..%2Fx"],
    ["https://api.example.com/v${a}.json", { a: "." }, "https://api.example.com/v..json"],
    ["https://api.example.com/${a}", { a: "..." }, "https://api.example.com/..."],
    ["https://api.example.com/${a}", { a: "100%" }, "https://api.example.com/100%25"],
    ["https://api.example.com/${a}", { a: "!'()*~" }, "https://api.example.com/%21%27%28%29%2A~"],
    ["https://api.example.com/x?a=1&q=${a}&b", { a: "&b=2#" }, "https://api.example.com/x?a=1&q=%26b%3D2%23&b"],
    ["https://api.example.com/x?q=${a}", {}, "https://api.example.com/x"],
    ["https://api.example.com/x?q=${a}", { a: [1, "b c"] }, "https://api.example.com/x?q=1&q=b%20c"],
    ["https://api.example.com/x?q=a-${a}", { a: "=" }, "https://api.example.com/x?q=a-%3D"],
    ["https://api.example.com/x?k=${secrets.API_KEY}", {}, "https://api.example.com/x?k=***API_KEY***"],
    ["https://api.example.com/${secrets.API_KEY}/x", {}, "https://api.example.com/***API_KEY***/x"],
  ])("%s with %j", (url, parameters, rendered) => {
    expect(render(request({ url }, "a?"), parameters).url).toBe(rendered);
  });

  it.each([".", "..", "%2e", "%2E.", "%252e%252e", ""])("has no parameter %j for a segment", (a) => {
    const refusal = refusalOf(request({ url: "https://api.example.com/v1/${a}/x" }, "a"), { a });
    expect(refusal).toBe('INVALID_PATH_SEGMENT: a must not be empty, "." or "..": it is a segment of the path');
  });

  it("does not come to .. by two parameters in one segment, or by text beside one", () => {
    expect(refusalOf(request({ url: `${ITEMS}/\${a}\${b}` }, "a", "b"), { a: ".", b: "." })).toMatch(
      /^INVALID_PATH_SEGMENT: a and b/,
    );
    expect(refusalOf(request({ url: `${ITEMS}/.\${a}` }, "a"), { a: "." })).toMatch(/^INVALID_PATH_SEGMENT/);
  });

  it("has no half of a character pair", () => {
    expect(refusalOf(request({ url: `${ITEMS}/\${a}` }, "a"), { a: "\ud800" })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it("has at most 8192 characters", () => {
    const tool = request({ url: `${ITEMS}?q=\${a}` }, "a");
    const room = 8_192 - `${ITEMS}?q=`.length;
    expect(render(tool, { a: "x".repeat(room) }).url).toHaveLength(8_192);
    expect(refusalOf(tool, { a: "x".repeat(room + 1) })).toMatch(/^RENDERED_TOO_LARGE: the arguments result in a url/);
  });
});

describe("a query", () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ["texts, numbers and booleans", { a: "x y", b: 1, c: false }, {}, "?a=x%20y&b=1&c=false"],
    ["a list", { a: ["x", "${a}", "y-${a}"] }, { a: 1 }, "?a=x&a=1&a=y-1"],
    ["a list that the call brings", { a: "${a}" }, { a: ["&", true] }, "?a=%26&a=true"],
    ["an empty list", { a: "${a}" }, { a: [] }, ""],
    ["nothing", { a: "${a}" }, {}, ""],
    ["names that must be encoded", { "f[a]&": 1 }, {}, "?f%5Ba%5D%26=1"],
    ["text that looks encoded", { a: "%20" }, {}, "?a=%2520"],
  ])("has %s", (_what, query, parameters, rendered) => {
    expect(render(request({ query }, "a?"), parameters).url).toBe(ITEMS + rendered);
  });

  it("has neither objects nor null", () => {
    const tool = request({ query: { q: "${a}" } }, "a");
    for (const a of [{}, null, [null], [["x"]]]) expect(refusalOf(tool, { a })).toMatch(/^NOT_A_SCALAR: a must/);
  });
});

describe("headers", () => {
  it("are in lower case, without those that the call omits", () => {
    const headers = { "X-A": "${a}", "X-B": "b", "X-C": 3, "X-D": "${d}" };
    expect(render(request({ headers }, "a?", "d"), { d: true }).headers).toEqual({
      "x-b": "b",
      "x-c": "3",
      "x-d": "true",
    });
  });

  it("name what the model can correct", () => {
    const tool = request({ headers: { "x-a": "v ${a}" } }, "a");
    const refusal =
      "INVALID_HEADER_VALUE: a in the header x-a must be printable ASCII without leading or trailing spaces";
    expect(refusalOf(tool, { a: "\r\nx: y" })).toBe(refusal);
    expect(refusalOf(tool, { a: "x".repeat(16_385) })).toMatch(/^RENDERED_TOO_LARGE: the arguments result in headers/);
  });
});

describe("a body", () => {
  it("has at most 65536 bytes, in UTF-8 and with its quotation marks", () => {
    const tool = request({ body: "${a}" }, "a");
    expect(render(tool, { a: ["x".repeat(65_532)] }).body).toHaveLength(1);
    expect(refusalOf(tool, { a: ["x".repeat(65_533)] })).toMatch(/^RENDERED_TOO_LARGE: the arguments result in a body/);
    expect(render(tool, { a: "x".repeat(65_536) }).body).toHaveLength(65_536);
    expect(refusalOf(tool, { a: "é".repeat(32_769) })).toMatch(/^RENDERED_TOO_LARGE/);
  });

  it("is a form where the content type says so", () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" };
    const tool = request({ headers, body: { a: "${a}", b: ["x", 1], c: "$${x}" } }, "a?");
    expect(bodyText(render(tool, { a: "&=+ é" }))).toBe("a=%26%3D%2B+%C3%A9&b=x&b=1&c=%24%7Bx%7D");
    expect(refusalOf(tool, { a: { b: 1 } })).toBe(
      "NOT_A_SCALAR: a must be a string, number, boolean or a list of them: it is a form field",
    );
  });

  it.each<[string, JsonValue | undefined, string | undefined]>([
    ["nothing", undefined, undefined],
    ["text as it is", "a=${1}", "a=${1}"],
    ["everything else as JSON", { a: [1, null] }, '{"a":[1,null]}'],
    ["null as JSON", null, "null"],
  ])("is sent: %s", (_what, body, text) => {
    expect(bodyText({ headers: {}, ...(body === undefined ? {} : { body }) })).toBe(text);
  });
});

describe("a delegation", () => {
  const leaf = composed(
    "send",
    "http_request",
    {
      method: "POST",
      url: `${ITEMS}/\${id}`,
      headers: { authorization: "Bearer ${secrets.API_KEY}" },
      body: "${note}",
    },
    {
      type: "object",
      properties: { id: { type: "string" }, note: { type: "string", maxLength: 5 } },
      required: ["id"],
      additionalProperties: false,
    },
  );
  const outer = composed("outer", "send", { id: "o-${n}", note: "${note}" }, takes("n", "note?"));

  it("fills in one template after the other and never expands a value", () => {
    expect(render([outer, leaf], { n: 1, note: "${id}" })).toEqual({
      method: "POST",
      url: `${ITEMS}/o-1`,
      headers: { authorization: "Bearer ***API_KEY***" },
      body: "${id}",
    });
    expect(render([outer, leaf], { n: 1 })).not.toHaveProperty("body");
  });

  it("validates the arguments for the next tool against its schema", () => {
    expect(refusalOf([outer, leaf], { n: 1, note: 5 })).toMatch(
      /^INVALID_ARGUMENTS: the arguments for send are invalid: .*note must be/,
    );
    expect(refusalOf([outer, leaf], { n: 1, note: "too long" })).toMatch(/note must/);
    expect(refusalOf([outer, leaf], { n: null })).toMatch(/^NOT_A_SCALAR: n/);
  });
});
