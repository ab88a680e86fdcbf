import type { JsonObject, JsonValue, RestDefinition } from "@yagate/protocol";
import { YagateError } from "@yagate/protocol";
import type { RenderedRequest } from "@yagate/tool-definitions/request/port";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compileRestTool } from "../../src/rest/compile-rest-tool.ts";
import { restTool } from "./rest-world.ts";

const definition = restTool({
  method: "POST",
  url: "https://api.example.com:8443/v1/{account}/orders/{orderId}.json?v=2",
  parameters: [
    { name: "account", in: "path", type: "string" },
    { name: "orderId", in: "path", type: "string" },
    { name: "q", in: "query", type: "string" },
    { name: "list", in: "query", type: "array" },
    { name: "limit", in: "query", type: "integer", value: 10 },
    { name: "note", wireName: "X-Note", in: "header", type: "string" },
    { name: "version", wireName: "X-Version", in: "header", type: "string", value: "3" },
    { name: "text", in: "body", type: "string" },
    { name: "any", in: "body", type: "object" },
    { name: "currency", in: "body", type: "string", value: "EUR" },
    { name: "plan", wireName: "any[plan]", in: "body", type: "string", value: "free" },
  ],
});
const form: RestDefinition = { ...definition, bodyFormat: "form" };

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.constantFrom(
    ".",
    "..",
    "%2e",
    "%2E%2e",
    "/",
    "\\",
    "//evil.example/",
    "?a=b",
    "#",
    "@",
    "\r\nX: y",
    "\ud800",
    "",
    "http://evil.example",
    ":443",
    "\u0000",
    "．．",
    "&limit=999",
    "currency",
  ),
);
const planned = fc.record({ plan: hostile });
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  hostile,
  planned,
  fc.jsonValue().map((one) => JSON.parse(JSON.stringify(one)) as JsonValue),
);
const names = [...definition.parameters.map(({ name }) => name), "X-Version", "x-version", "__proto__", "toString"];
const parameters: fc.Arbitrary<JsonObject> = fc
  .tuple(hostile, hostile, fc.dictionary(fc.constantFrom(...names), value))
  .map(([account, orderId, rest]) => ({ account, orderId, ...rest }));

/** The request, or undefined where the arguments make none. */
function render(of: RestDefinition, values: JsonObject): RenderedRequest | undefined {
  try {
    return compileRestTool(of).render(values, () => "");
  } catch (error) {
    if (YagateError.is(error) && error.code === "INVALID_ARGUMENTS") return undefined;
    throw error;
  }
}

it("no argument moves a request to another origin or another place of the path", () => {
  fc.assert(
    fc.property(parameters, (values) => {
      const request = render(definition, values);
      if (request === undefined) return;
      const url = new URL(request.url);
      expect(url.origin).toBe("https://api.example.com:8443");
      expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
      expect(url.href).toBe(request.url);
      const segments = url.pathname.split("/");
      expect(segments).toHaveLength(5);
      expect([segments[1], segments[3]]).toEqual(["v1", "orders"]);
      expect(decodeURIComponent(segments[2] ?? "")).toBe(String(values["account"]));
      expect(decodeURIComponent(segments[4] ?? "")).toBe(`${String(values["orderId"])}.json`);
    }),
    { numRuns: 500 },
  );
});

it("no argument changes what is fixed, in JSON or in a form", () => {
  fc.assert(
    fc.property(parameters, (values) => {
      for (const of of [definition, form]) {
        const request = render(of, values);
        if (request === undefined) continue;
        const url = new URL(request.url);
        expect([url.searchParams.getAll("limit"), url.searchParams.getAll("v")]).toEqual([["10"], ["2"]]);
        expect(request.headers["x-version"]).toBe("3");
        const { body = null } = request;
        if (typeof body !== "string") expect(body).toMatchObject({ currency: "EUR", "any[plan]": "free" });
        else {
          const fields = new URLSearchParams(body);
          expect([fields.getAll("currency"), fields.getAll("any[plan]")]).toEqual([["EUR"], ["free"]]);
        }
      }
    }),
    { numRuns: 500 },
  );
});

it("headers hold no control characters, and the same arguments make the same request", () => {
  fc.assert(
    fc.property(parameters, (values) => {
      const request = render(definition, values);
      expect(render(definition, structuredClone(values))).toEqual(request);
      for (const [name, text] of Object.entries(request?.headers ?? {})) {
        expect(name).toBe(name.toLowerCase());
        expect(text).toMatch(/^[\t\x20-\x7e]*$/);
      }
    }),
    { numRuns: 300 },
  );
});

it("whatever is in the query comes out as it went in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.array(fc.string({ unit: "grapheme" })), (q, list) => {
      const request = render(definition, { account: "a", orderId: "b", q, list });
      const { searchParams } = new URL(request?.url ?? "");
      expect([searchParams.get("q"), searchParams.getAll("list")]).toEqual([q, list]);
    }),
  );
});
