import { type JsonObject, YagateError } from "@yagate/protocol";
import type { RenderedRequest } from "@yagate/tool-definitions/request/port";
import { restParameters } from "@yagate/tool-definitions/rest/rest-parameters";
import { describe, expect, it } from "vitest";
import { modelDescriptionOfRest } from "../../src/model-description.ts";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restTool } from "./rest-world.ts";

type Change = Parameters<typeof restTool>[0];

const noSecret = () => {
  throw new Error("expected no secret to be asked for");
};
const render = (change: Change, parameters: JsonObject) =>
  compileRestTool(restTool(change)).render(parameters, noSecret);
const query = (parameter: object): Change => ({
  url: "https://api.example.com/search",
  parameters: [{ name: "q", in: "query", type: "string", ...parameter }],
});
const post = (parameters: NonNullable<Change>["parameters"], change: Change = {}): Change => ({
  url: "https://api.example.com/orders",
  method: "POST",
  parameters,
  ...change,
});

describe("a request", () => {
  it.each<[string, Change, JsonObject, Partial<RenderedRequest>]>([
    [
      "a parameter in the path",
      {},
      { orderId: "A 1/2?#%" },
      { method: "GET", url: "https://api.example.com/orders/A%201%2F2%3F%23%25", headers: {} },
    ],
    ["dots beside other text", {}, { orderId: "..a" }, { url: "https://api.example.com/orders/..a" }],
    [
      "text of the form of a placeholder",
      {},
      { orderId: "{orderId}${secrets.KEY}" },
      { url: "https://api.example.com/orders/%7BorderId%7D%24%7Bsecrets.KEY%7D" },
    ],
    [
      "several parameters in one segment",
      {
        url: "https://api.example.com/compare/{base}...{head}.json",
        parameters: [
          { name: "from", wireName: "base", in: "path", type: "string" },
          { name: "head", in: "path", type: "integer" },
        ],
      },
      { from: "main", head: 7 },
      { url: "https://api.example.com/compare/main...7.json" },
    ],
    [
      "a text in the query",
      query({}),
      { q: "a b&c=d+é'" },
      { url: "https://api.example.com/search?q=a%20b%26c%3Dd%2B%C3%A9%27" },
    ],
    ["a number and a boolean", query({ type: "number" }), { q: 1.5 }, { url: "https://api.example.com/search?q=1.5" }],
    ["an absent parameter", query({}), {}, { url: "https://api.example.com/search" }],
    [
      "a list in the query",
      query({ type: "array" }),
      { q: ["a,b", 2, true] },
      { url: "https://api.example.com/search?q=a%2Cb&q=2&q=true" },
    ],
    [
      "a list with brackets",
      query({ type: "array", wireName: "q[]" }),
      { q: ["a"] },
      { url: "https://api.example.com/search?q%5B%5D=a" },
    ],
    [
      "a list with commas",
      query({ type: "array", arrayFormat: "comma" }),
      { q: ["a,b", "c"] },
      { url: "https://api.example.com/search?q=a%2Cb,c" },
    ],
    [
      "an empty list",
      query({ type: "array", arrayFormat: "comma" }),
      { q: [] },
      { url: "https://api.example.com/search" },
    ],
    [
      "the url's own query first",
      { ...query({}), url: "https://api.example.com/search?v=2" },
      { q: "x" },
      { url: "https://api.example.com/search?v=2&q=x" },
    ],
    [
      "headers",
      {
        parameters: [
          { name: "orderId", in: "path", type: "string" },
          { name: "tags", wireName: "X-Tags", in: "header", type: "array" },
        ],
      },
      { orderId: "1", tags: ["a", 2] },
      { headers: { "x-tags": "a, 2" } },
    ],
    [
      "a body",
      post([
        { name: "city", wireName: "address.city", in: "body", type: "string", nullable: true },
        { name: "lines", in: "body", type: "array" },
      ]),
      { city: null, lines: [{ sku: "a" }] },
      { headers: { "content-type": "application/json" }, body: { "address.city": null, lines: [{ sku: "a" }] } },
    ],
    ["a body without any of its fields", post([{ name: "note", in: "body", type: "string" }]), {}, { body: {} }],
    [
      "a JSON type of another name",
      post([
        { name: "note", in: "body", type: "string" },
        {
          name: "content_type",
          wireName: "Content-Type",
          in: "header",
          type: "string",
          value: "application/vnd.api+json",
        },
      ]),
      { note: "a" },
      { headers: { "content-type": "application/vnd.api+json" }, body: { note: "a" } },
    ],
    [
      "a form",
      post(
        [
          { name: "amount", in: "body", type: "integer" },
          { name: "metadata", in: "body", type: "object" },
          { name: "expand", wireName: "expand[]", in: "body", type: "array" },
          { name: "items", in: "body", type: "array" },
          { name: "scopes", in: "body", type: "array", arrayFormat: "comma" },
        ],
        { bodyFormat: "form" },
      ),
      {
        amount: 100,
        metadata: { "a&b": "c d", deep: { x: true } },
        expand: ["customer", "invoice"],
        items: [{ price: "p1" }, { price: "p2" }],
        scopes: ["a", "b"],
      },
      {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "amount=100&metadata%5Ba%26b%5D=c%20d&metadata%5Bdeep%5D%5Bx%5D=true&expand%5B%5D=customer&expand%5B%5D=invoice&items%5B0%5D%5Bprice%5D=p1&items%5B1%5D%5Bprice%5D=p2&scopes=a,b",
      },
    ],
  ])("with %s", (_case, change, parameters, expected) => {
    expect(render(change, parameters)).toMatchObject(expected);
  });

  it("without a body has none, and says nothing of its type", () => {
    const request = render(
      {
        method: "DELETE",
        parameters: [
          { name: "orderId", in: "path", type: "string" },
          { name: "why", in: "body", type: "string" },
        ],
      },
      { orderId: "1" },
    );
    expect(request).toEqual({ method: "DELETE", url: "https://api.example.com/orders/1", headers: {} });
  });

  it("has its fixed values whatever the arguments are", () => {
    const change = post(
      [
        { name: "account", in: "path", type: "string", value: "acme" },
        { name: "limit", in: "query", type: "integer", value: 10 },
        { name: "version", wireName: "X-Version", in: "header", type: "string", value: "3" },
        { name: "currency", in: "body", type: "string", value: "EUR" },
        { name: "amount", in: "body", type: "integer" },
      ],
      { url: "https://api.example.com/{account}/orders" },
    );
    const arguments_ = {
      account: "evil",
      limit: 999,
      version: "1",
      "X-Version": "1",
      currency: "USD",
      amount: 5,
      extra: true,
    };
    expect(render(change, arguments_)).toEqual({
      method: "POST",
      url: "https://api.example.com/acme/orders?limit=10",
      headers: { "content-type": "application/json", "x-version": "3" },
      body: { amount: 5, currency: "EUR" },
    });
  });

  it.each<[string, Change, JsonObject, RegExp]>([
    ["no path parameter", {}, {}, /orderId must not be empty/],
    ["an empty path parameter", {}, { orderId: "" }, /orderId must not be empty/],
    ["a path parameter of one dot", {}, { orderId: "." }, /orderId must not be \. or \.\./],
    ["a path parameter of two dots", {}, { orderId: ".." }, /orderId must not be \. or \.\./],
    ["a path parameter of an encoded dot", {}, { orderId: "%2E" }, /orderId must not be \. or \.\./],
    ["a path parameter of encoded dots", {}, { orderId: "%2e%2e" }, /orderId must not be \. or \.\./],
    ["a path parameter of dots encoded twice", {}, { orderId: "%252e." }, /orderId must not be \. or \.\./],
    [
      "two dots of two parameters",
      {
        url: "https://api.example.com/{a}{b}",
        parameters: [
          { name: "a", in: "path", type: "string" },
          { name: "b", in: "path", type: "string" },
        ],
      },
      { a: ".", b: "." },
      /b must not be \. or \.\./,
    ],
    ["half a character", {}, { orderId: "\ud800" }, /orderId must be well-formed/],
    ["null in the query", query({}), { q: null }, /q must be a string/],
    ["a list in a list of the query", query({ type: "array" }), { q: [["a"]] }, /q must be a string/],
    [
      "a line break in a header",
      {
        parameters: [
          { name: "orderId", in: "path", type: "string" },
          { name: "x", in: "header", type: "string" },
        ],
      },
      { orderId: "1", x: "a\r\nb" },
      /x must be printable ASCII/,
    ],
    ["a url over the limit", query({}), { q: "a".repeat(8_192) }, /url of more than 8192 characters/],
    [
      "a body over the limit",
      post([{ name: "note", in: "body", type: "string" }]),
      { note: "é".repeat(32_768) },
      /body of more than 65536 bytes/,
    ],
    [
      "a form over the limit",
      post([{ name: "note", in: "body", type: "string" }], { bodyFormat: "form" }),
      { note: "é".repeat(11_000) },
      /body of more than 65536 bytes/,
    ],
    [
      "a form without end",
      post([{ name: "note", in: "body", type: "object" }], { bodyFormat: "form" }),
      { note: JSON.parse(`${'{"a":'.repeat(12)}1${"}".repeat(12)}`) },
      /note must nest at most 10 levels/,
    ],
    [
      "a form without end that has lists",
      post([{ name: "note", in: "body", type: "object" }], { bodyFormat: "form" }),
      { note: JSON.parse(`${'{"a":['.repeat(6)}1${"]}".repeat(6)}`) },
      /note must nest at most 10 levels/,
    ],
  ])("can't be made of %s", (_case, change, parameters, message) => {
    expect(() => render(change, parameters)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringMatching(message) }),
    );
  });

  it("is refused for a value that is not allowed, without naming the allowed ones", () => {
    const change = query({ allowedValues: ["public-only", "team-only"] });
    expect(render(change, { q: "team-only" }).url).toBe("https://api.example.com/search?q=team-only");
    const message = "no valid request can be built from the arguments: q must be one of the allowed values";
    expect(() => render(change, { q: "private" })).toThrow(new YagateError("INVALID_ARGUMENTS", message));
  });

  it("checks each item of a list against the allowed values", () => {
    const change = query({ type: "array", allowedValues: ["a", "b"] });
    expect(render(change, { q: ["b", "a"] }).url).toBe("https://api.example.com/search?q=b&q=a");
    expect(() => render(change, { q: ["a", "c"] })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENTS" }));
  });

  it("takes time in proportion to the values, however many are allowed", () => {
    const allowedValues = Array.from({ length: 1_000 }, (_, index) => ({ a: { b: index } }));
    const { render: renderMany } = compileRestTool(
      restTool(post([{ name: "list", in: "body", type: "array", allowedValues }])),
    );
    const before = process.threadCpuUsage();
    const list = Array(50_000).fill({ a: { b: 999 } });
    expect(() => renderMany({ list }, noSecret)).toThrow(/body of more than/);
    expect(() => renderMany({ list: [...list, { a: { b: "999" } }] }, noSecret)).toThrow(
      /must be one of the allowed values/,
    );
    expect(renderMany({ list: [{ a: { b: 7 } }] }, noSecret).body).toEqual({ list: [{ a: { b: 7 } }] });
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_500_000);
  });

  it("is not made of a url that was never checked", () => {
    expect(() => compileRestTool(restTool({ url: "https://{host}/" }))).toThrow(
      expect.objectContaining({ code: "INTERNAL" }),
    );
  });
});

describe("what the model sees", () => {
  const definition = restTool({
    usageNotes: "Ask for the id first.",
    warnings: [
      { severity: "info", message: "Sandbox only." },
      { severity: "critical", message: "The result comes later." },
      { severity: "warning", message: "Pages of 20." },
    ],
    parameters: [
      { name: "orderId", in: "path", type: "string", description: "Such as ORD-1.", schema: { minLength: 3 } },
      { name: "key", in: "query", type: "string", value: "fixed" },
      { name: "view", in: "query", type: "string", required: true, allowedValues: ["small"] },
      { name: "note", in: "header", type: "string", nullable: true },
    ],
  });

  it("is a schema without fixed parameters and allowed values", () => {
    expect(restParameters(definition)).toEqual({
      type: "object",
      properties: {
        orderId: { type: "string", description: "Such as ORD-1.", minLength: 3 },
        view: { type: "string" },
        note: { type: ["string", "null"] },
      },
      required: ["orderId", "view"],
      additionalProperties: false,
    });
  });

  it("is a description with the notes and the warnings, the gravest first", () => {
    expect(modelDescriptionOfRest(definition)).toBe(
      "Reads an order.\n\nAsk for the id first.\n\nCritical: The result comes later.\nWarning: Pages of 20.\nNote: Sandbox only.",
    );
    expect(modelDescriptionOfRest(restTool())).toBe("Reads an order.");
  });
});
