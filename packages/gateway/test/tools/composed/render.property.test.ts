import type { ComposedToolDefinition, JsonObject, JsonValue } from "@yagate/protocol";
import { parseTemplateText } from "@yagate/tool-definitions/placeholders/template-text";
import type { RenderedRequest, SecretOf } from "@yagate/tool-definitions/request/port";
import { RenderError } from "@yagate/tool-definitions/request/render-error";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileComposedTool } from "../../../src/tools/composed/compile-composed-tool.ts";
import { argumentValidator, builtins, check, request, shown } from "./composed-world.ts";

/** What people try, and what parsers trip over. */
const HOSTILE = [
  ...["..", ".", "%2e%2e", "%252e", "../../admin", "..\\..", "//evil.example", "\\\\evil.example", "@evil.example"],
  ...[":8443", ".evil.example", "#", "?x=1", "&admin=1", "=", ";", "a\r\nX-Evil: 1", "a\nb", "\0", "\u007f", "\t"],
  ...["${secrets.API_KEY}", "${a}", "$${a}", "$&", "$1", "$`", "${", "}", '","x":"', "\u2028", "\ufeff", "\ud800"],
  ...["é", "😀", "%", "%zz", "%00", "％２ｅ", "。", "①", " x", "x ", "", "https://evil.example/", "javascript:1"],
];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string()), { maxLength: 4 }).map((parts) => parts.join("")),
);
const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
  ),
})).value;
const parameters: fc.Arbitrary<JsonObject> = fc.record(
  { a: value, b: text, c: scalar },
  { requiredKeys: [], noNullPrototype: true },
);

const URLS = [
  "https://api.example.com/${a}",
  "https://api.example.com/v1/${a}/x/${b}",
  "https://api.example.com/v1/${a}${b}.json?q=${c}&r=x-${a}",
  "https://api.example.com?q=${a}",
  "https://api.example.com:8443/${b}/",
];
const template = fc.record({
  url: fc.constantFrom(...URLS),
  headers: fc.constantFrom<JsonObject>({}, { "x-a": "${a}" }, { "x-a": "v ${b}", authorization: "${secrets.API_KEY}" }),
  query: fc.constantFrom<JsonObject>({}, { q: "${a}" }, { q: ["${a}", "t ${b}"], k: "${secrets.API_KEY}" }),
  body: fc.constantFrom<JsonValue>(
    "${a}",
    { a: "${a}", t: ["x ${b} ${c}", { d: "${c}" }] },
    { k: "${secrets.API_KEY}" },
  ),
});

function compile(tool: ComposedToolDefinition) {
  const compiled = compileComposedTool(tool, [tool], { builtins, argumentValidator });
  if (compiled.kind !== "network") throw new Error("expected a tool that makes requests");
  return compiled.template;
}

/** Undefined for arguments that are refused, as they may be; nothing else may be thrown. */
function tryRender(
  tool: ComposedToolDefinition,
  values: JsonObject,
  secretOf: SecretOf = shown,
): RenderedRequest | undefined {
  try {
    return compile(tool).render(values, secretOf);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

function countSegments(url: string): number {
  return new URL(url).pathname.split("/").length;
}

const toTool = (args: JsonObject) => request(args, "a?", "b?", "c?");
const runs = { numRuns: 1_000 };

describe("whatever the arguments are", () => {
  it("a request keeps its origin and number of segments, and its URL is in normal form", () => {
    let rendered = 0;
    fc.assert(
      fc.property(template, parameters, (args, values) => {
        const made = tryRender(toTool(args), values);
        if (made === undefined) return;
        rendered += 1;
        const url = new URL(made.url);
        const expected = args.url.replaceAll(/\$\{\w+\}/g, "x");
        expect(url.origin).toBe(new URL(expected).origin);
        expect(countSegments(made.url)).toBe(countSegments(expected));
        expect([url.href, url.hash, url.username, url.password]).toEqual([made.url, "", "", ""]);
        expect(made.url).toMatch(/^[\x21-\x7e]{1,8192}$/);
        expect(made.method).toBe("POST");
      }),
      runs,
    );
    expect(rendered).toBeGreaterThan(runs.numRuns / 20);
  });

  it("headers are those of the template and printable ASCII", () => {
    fc.assert(
      fc.property(template, parameters, (args, values) => {
        const made = tryRender(toTool(args), values);
        for (const [name, header] of Object.entries(made?.headers ?? {})) {
          expect(Object.keys(args.headers)).toContain(name);
          expect(header).toMatch(/^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/);
        }
      }),
      runs,
    );
  });

  it("a value in the path and the query decodes to the argument", () => {
    fc.assert(
      fc.property(text, (b) => {
        const made = tryRender(toTool({ url: "https://api.example.com/v1/${b}", query: { q: "${b}", t: "<${b}>" } }), {
          b,
        });
        if (made === undefined) return;
        const url = new URL(made.url);
        expect(decodeURIComponent(url.pathname.split("/")[2] ?? "")).toBe(b);
        expect(url.searchParams.getAll("q")).toEqual([b]);
        expect(url.searchParams.get("t")).toBe(`<${b}>`);
      }),
      runs,
    );
  });

  it("a value in the body equals the argument, even with placeholders", () => {
    fc.assert(
      fc.property(value, text, (a, b) => {
        const made = tryRender(toTool({ body: { a: "${a}", t: "x${b}" } }), { a, b });
        if (made !== undefined) expect(made.body).toEqual({ a, t: `x${b}` });
      }),
      runs,
    );
  });

  it("a secret appears only where the template has it", () => {
    const secret = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{6,40}[\x21-\x7e]$/);
    fc.assert(
      fc.property(template, parameters, secret, (args, values, secretValue) => {
        const marker = "SECRETMARKER";
        const masked = tryRender(toTool(args), values, () => marker);
        const real = tryRender(toTool(args), values, () => secretValue);
        if (masked === undefined || real === undefined || JSON.stringify(values).includes(marker)) return;
        const filledIn = (text: string, put: (text: string) => string) => text.split(marker).join(put(secretValue));
        expect(real.headers).toEqual(
          Object.fromEntries(Object.entries(masked.headers).map(([name, held]) => [name, filledIn(held, String)])),
        );
        // As it goes over the wire, where -0 is 0.
        expect(real.body === undefined ? undefined : JSON.parse(JSON.stringify(real.body))).toEqual(
          masked.body === undefined
            ? undefined
            : JSON.parse(filledIn(JSON.stringify(masked.body), (text) => JSON.stringify(text).slice(1, -1))),
        );
        expect(decodeURIComponent(real.url)).toBe(decodeURIComponent(filledIn(masked.url, encodeURIComponent)));
      }),
      runs,
    );
  });

  it("the same arguments give the same request and stay unchanged", () => {
    fc.assert(
      fc.property(template, parameters, (args, values) => {
        const before = structuredClone(values);
        const tool = toTool(args);
        const first = tryRender(tool, values);
        expect(tryRender(tool, values)).toEqual(first);
        expect(values).toEqual(before);
      }),
      runs,
    );
  });
});

describe("whatever a template is", () => {
  const piece = fc.constantFrom("$", "{", "}", "${a}", "$${", "${secrets.KEY}", "a", ".", "-", "secrets", "é", " ");
  const source = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

  it("its pieces joined again are the template", () => {
    fc.assert(
      fc.property(fc.oneof(source, text), (written) => {
        const tokens = parseTemplateText(written);
        if (tokens === undefined) return;
        const again = tokens.map((token) => {
          if ("text" in token) return token.text.replaceAll("${", () => "$${");
          return "secret" in token ? `\${secrets.${token.secret}}` : `\${${token.parameter}}`;
        });
        expect(again.join("")).toBe(written);
      }),
      runs,
    );
  });

  it("checking it never fails, and what passes can be compiled", () => {
    const args = fc.record({
      url: fc.oneof(
        source,
        source.map((rest) => `https://api.example.com/${rest}`),
      ),
      body: source,
    });
    fc.assert(
      fc.property(args, (given) => {
        const tool = request(given, "a");
        if (check(tool).some(({ severity }) => severity === "error")) return;
        expect(compile(tool).secretNames).toEqual([]);
      }),
      runs,
    );
  });
});
