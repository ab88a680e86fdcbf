import type { JsonValue } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLeakScan } from "../../src/redaction/leak-scan.ts";
import { createRedaction } from "../../src/redaction/redaction.ts";

const KEY = { name: "KEY", value: 'k9/"Q+7\\z hT~2w' };
const TOKEN = { name: "TOKEN", value: "tok_0123456789abcdef" };
const redaction = createRedaction([KEY, TOKEN]);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");

describe("a text", () => {
  it.each<[string, string, string]>([
    ["as it is", `a ${KEY.value} b`, "a [redacted:KEY] b"],
    ["twice", `${TOKEN.value},${TOKEN.value}`, "[redacted:TOKEN],[redacted:TOKEN]"],
    ["beside another", `${TOKEN.value}${KEY.value}`, "[redacted:TOKEN][redacted:KEY]"],
    ["as a string of JSON", JSON.stringify({ a: `é${KEY.value}☃` }), '{"a":"é[redacted:KEY]☃"}'],
    ["as a string of JSON, slashes escaped", `["k9\\/\\"Q+7\\\\z hT~2w"]`, '["[redacted:KEY]"]'],
    ["as JSON inside JSON", JSON.stringify(JSON.stringify([KEY.value])), '"[\\"[redacted:KEY]\\"]"'],
    ["percent-encoded", `a=${encodeURIComponent(KEY.value)}&b`, "a=[redacted:KEY]&b"],
    ["in a form", new URLSearchParams({ a: KEY.value }).toString(), "a=[redacted:KEY]"],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(KEY.value)), "[redacted:KEY]"],
    ["as hex", `0x${hex(TOKEN.value).toUpperCase()}!`, "0x[redacted:TOKEN]!"],
    ["as hex over lines", hex(TOKEN.value).replace(/.{8}/g, "$&\n"), "[redacted:TOKEN]\n"],
    [
      "as hex in pairs",
      hex(TOKEN.value)
        .toUpperCase()
        .replace(/..(?!$)/g, "$&:"),
      "[redacted:TOKEN]",
    ],
    ["as hex in words", hex(TOKEN.value).replace(/.{4}(?!$)/g, "$&-"), "[redacted:TOKEN]"],
    ["in HTML", `<b title="k9/&quot;Q+7\\z hT~2w">`, '<b title="[redacted:KEY]">'],
    ["as numbers in HTML", Array.from(TOKEN.value, (c) => `&#${c.charCodeAt(0)};`).join(""), "[redacted:TOKEN]"],
    ["as hex numbers in HTML", hex(TOKEN.value).replace(/../g, "&#X0$&;"), "[redacted:TOKEN]"],
    ["in HTML inside JSON", JSON.stringify(`<p>k9&sol;&quot;Q+7\\z hT~2w</p>`), '"<p>[redacted:KEY]</p>"'],
    ["in HTML twice", "tok&amp;#95;0123456789abcdef", "[redacted:TOKEN]"],
    ["in a URL in HTML", `?a=1&amp;k=${encodeURIComponent(KEY.value)}`, "?a=1&amp;k=[redacted:KEY]"],
    ["that are not there", 'a "tok_0123456789abcde" %41 \\u0041', 'a "tok_0123456789abcde" %41 \\u0041'],
  ])("loses secrets %s", (_how, text, expected) => {
    expect(redaction.text(text)).toBe(expected);
  });

  it.each(["", "a", "ab", "abc"])("loses base64 behind %j", (before) => {
    for (const form of ["base64", "base64url"] as const) {
      const text = Buffer.from(`${before}${TOKEN.value}:end`).toString(form);
      const left = redaction.text(`<${text}>`);
      expect(left).toMatch(/^<.*\[redacted:TOKEN\].*>$/);
      // What is left are characters that it shares with its neighbours, and those.
      expect(left.length).toBeLessThan(before.length * 2 + 16 + "<[redacted:TOKEN]>".length);
    }
  });

  it("that repeats itself is gone as a whole", () => {
    const periodic = createRedaction([{ name: "P", value: "abababab" }]);
    expect(periodic.text("xabababababababy")).toBe("x[redacted:P]y");
  });

  it("stays where no secret is known, and where it is short", () => {
    expect(createRedaction([]).text(KEY.value)).toBe(KEY.value);
    expect(createRedaction([{ name: "S", value: "abc1234" }]).text("abc1234")).toBe("abc1234");
  });
});

it("headers lose secrets in their values and names", () => {
  const headers = {
    "x-echo": `Bearer ${TOKEN.value}`,
    "set-cookie": [`a=${encodeURIComponent(KEY.value)}`, "b=1"],
    authorization: `Basic ${base64(`u:${TOKEN.value}`)}`,
    [`x-${TOKEN.value}`]: "1",
    date: "today",
  };
  const upperValue = createRedaction([{ name: "UPPER", value: "ABCDEFGH-1" }]);
  expect(redaction.headers(headers)).toEqual({
    "x-echo": "Bearer [redacted:TOKEN]",
    "set-cookie": ["a=[redacted:KEY]", "b=1"],
    authorization: expect.stringContaining("[redacted:TOKEN]"),
    "x-[redacted:TOKEN]": "1",
    date: "today",
  });
  expect(upperValue.headers({ "x-abcdefgh-1": "a" })).toEqual({ "x-[redacted:UPPER]": "a" });
});

it("parsed JSON loses secrets in strings and keys at any depth", () => {
  const value: JsonValue = {
    [TOKEN.value]: 1,
    list: [KEY.value, [{ deep: encodeURIComponent(KEY.value), n: null, b: true }]],
    text: JSON.stringify({ a: KEY.value }),
    empty: {},
  };
  const before = structuredClone(value);
  expect(redaction.json(value)).toEqual({
    "[redacted:TOKEN]": 1,
    list: ["[redacted:KEY]", [{ deep: "[redacted:KEY]", n: null, b: true }]],
    text: '{"a":"[redacted:KEY]"}',
    empty: {},
  });
  expect(value).toEqual(before);
  expect(redaction.json(TOKEN.value)).toBe("[redacted:TOKEN]");
  expect(redaction.json(null)).toBeNull();
});

it("parsed JSON may be deeper than a stack, and have any key", () => {
  const depth = 200_000;
  let inner = redaction.json(JSON.parse(`${"[".repeat(depth)}"${TOKEN.value}"${"]".repeat(depth)}`));
  while (Array.isArray(inner)) inner = inner[0] ?? null;
  expect(inner).toBe("[redacted:TOKEN]");
  const odd = JSON.parse(`{"__proto__":"${TOKEN.value}"}`);
  expect(JSON.stringify(redaction.json(odd))).toBe('{"__proto__":"[redacted:TOKEN]"}');
});

it("whatever an answer is made of, no scan finds a secret in what is left, and JSON stays JSON", () => {
  const encodings: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    (text) => JSON.stringify(text).slice(1, -1),
    base64,
    (text) => base64(` ${text}`),
    (text) => Buffer.from(`ab${text}cd`).toString("base64url"),
    hex,
  ];
  const secret = fc.string({ unit: "grapheme-ascii", minLength: 12, maxLength: 50 });
  const piece = fc.oneof(fc.string({ maxLength: 12 }), fc.nat(encodings.length - 1));
  fc.assert(
    fc.property(secret, fc.array(piece, { maxLength: 12 }), (value, pieces) => {
      const named = [{ name: "S", value }];
      fc.pre(!"[redacted:S]".includes(value.slice(0, 4)));
      const answer = pieces
        .map((part) => (typeof part === "string" ? part : (encodings[part]?.(value) ?? "")))
        .join("|");
      const [scan, prepared] = [createLeakScan(named), createRedaction(named)];
      const isClean = (body: string) => scan.scan({ url: "https://a.example/", headers: {}, body }) === undefined;
      expect(isClean(prepared.text(answer))).toBe(true);
      const deep = JSON.stringify(prepared.json([answer, { [answer]: answer }]));
      expect(isClean(deep)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
