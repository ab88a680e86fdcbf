import { describe, expect, it } from "vitest";
import { createLeakScan, hostTextOf, type InjectedPlace, type ScannedRequest } from "../../src/redaction/leak-scan.ts";
import vectors from "../vectors/leaks.json" with { type: "json" };

const URL_TEXT = "https://collector.example.net/in";
const VALUE = 'k9/"Q+7\\z hT~2w';
const TOKEN = "tok_0123456789abcdef";
const SPACED = "three small words";
const ESCAPED = 'a%41b\\u0042c&#67;"d';
const scan = createLeakScan([
  { name: "SPACED", value: SPACED },
  { name: "ESCAPED", value: ESCAPED },
  { name: "KEY", value: VALUE },
  { name: "TOKEN", value: TOKEN },
]);

const inBody = (body: string): ScannedRequest => ({ url: URL_TEXT, headers: {}, body });
const inHeader = (value: string): ScannedRequest => ({ url: URL_TEXT, headers: { "x-note": value } });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const json = (text: string) => JSON.stringify(text);
const percent = (text: string) => encodeURIComponent(text);
const unicode = (text: string) =>
  `"${Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
const references = (text: string) => Array.from(text, (character) => `&#${character.charCodeAt(0)};`).join("");
const percentAll = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");

describe("the published cases", () => {
  const known = createLeakScan(vectors.secrets);
  it.each(vectors.cases)("$id: $why", ({ request, expect: verdict }) => {
    const { url, headers, body, injected = [] } = { body: undefined, ...request };
    const sent = { url, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
    const leak = known.scan(sent, injected.filter(isHeaderPlace));
    expect(leak === undefined ? "allow" : "block").toBe(verdict);
  });
});

function isHeaderPlace(place: string): place is InjectedPlace {
  return place.startsWith("header:");
}

it.each([
  ["as it is", TOKEN],
  ["in upper case", TOKEN.toUpperCase()],
  ["percent-encoded", percentAll(TOKEN)],
  ["in full-width characters", TOKEN.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))],
])("a secret is found %s in a host, which is searched as it is sent", (_form, label) => {
  expect(scan.findInHost(`https://a-${label}.example.net/`)).toBe("TOKEN");
  expect(hostTextOf(`https://a-${label}.example.net/`)).toBe(`a-${TOKEN}.example.net`);
});

describe("a secret is found", () => {
  it.each<[string, ScannedRequest, string, string]>([
    ["in the path", { url: `${URL_TEXT}/${TOKEN}/x`, headers: {} }, "TOKEN", "url"],
    [
      "in the query of a form",
      { url: `${URL_TEXT}?a=${percent(VALUE).replace("%20", "+")}`, headers: {} },
      "KEY",
      "url",
    ],
    [
      "in the host, which is lower case",
      { url: `https://${TOKEN.toUpperCase()}.example.net/`, headers: {} },
      "TOKEN",
      "url",
    ],
    [
      "in the host as base64, which is lower case then",
      { url: `https://${base64(TOKEN).replace(/=/g, "")}.a.net/`, headers: {} },
      "TOKEN",
      "url",
    ],
    [
      "in a URL with a line break that the parser leaves out",
      { url: `${URL_TEXT}?a=tok_01234\n56789abcdef`, headers: {} },
      "TOKEN",
      "url",
    ],
    ["in a URL that is none", { url: `//${TOKEN}`, headers: {} }, "TOKEN", "url"],
    ["in the user of a URL", { url: `https://${TOKEN}@a.example.net/`, headers: {} }, "TOKEN", "url"],
    ["in a header", inHeader(`a=${TOKEN};`), "TOKEN", "header:x-note"],
    [
      "in the name of a header",
      { url: URL_TEXT, headers: { [`X-${TOKEN.toUpperCase()}`]: "1" } },
      "TOKEN",
      "header name",
    ],
    ["as basic authorization", inHeader(`Basic ${base64(`bot:${VALUE}`)}`), "KEY", "header:x-note"],
    ["in a body as it is", inBody(`a ${VALUE} b`), "KEY", "body"],
    ["in a JSON body", inBody(json(VALUE)), "KEY", "body"],
    ["in a JSON body, slashes escaped", inBody(json(VALUE).replaceAll("/", "\\/")), "KEY", "body"],
    [
      "in a JSON body, all in \\u",
      inBody(`"${Array.from(TOKEN, (c) => `\\u00${hex(c).toUpperCase()}`).join("")}"`),
      "TOKEN",
      "body",
    ],
    ["in JSON inside JSON", inBody(json(json(VALUE))), "KEY", "body"],
    ["in JSON inside a form", inBody(`payload=${percent(json(VALUE))}`), "KEY", "body"],
    ["in a URL inside JSON", inBody(json(`https://a.example/?q="${percent(percent(VALUE))}`)), "KEY", "body"],
    ["percent-encoded three times", inBody(percentAll(percentAll(percentAll(VALUE)))), "KEY", "body"],
    ["with one character percent-encoded", inBody(TOKEN.replace("5", "%35")), "TOKEN", "body"],
    ["in JSON inside percent-encoding inside JSON", inBody(unicode(percentAll(json(VALUE)))), "KEY", "body"],
    ["in JSON twice inside percent-encoding", inBody(unicode(percent(json(json(VALUE))))), "KEY", "body"],
    ["in character references inside percent-encoding", inBody(percentAll(references(VALUE))), "KEY", "body"],
    [
      "in character references inside percent-encoding inside JSON",
      inBody(unicode(percent(references(VALUE)))),
      "KEY",
      "body",
    ],
    ["in JSON inside character references inside a form", inBody(percent(references(json(VALUE)))), "KEY", "body"],
    [
      "in percent-encoding around JSON around percent-encoding around character references",
      inBody(percentAll(unicode(percentAll(references(VALUE))))),
      "KEY",
      "body",
    ],
    ["in character references without semicolons", inBody(references(TOKEN).replaceAll(";", "")), "TOKEN", "body"],
    [
      "with one character reference without its semicolon",
      inBody(TOKEN.replace("t", "&#116").replace("k", "&#x6B")),
      "TOKEN",
      "body",
    ],
    [
      "in character references without semicolons inside percent-encoding",
      inBody(percent(references(TOKEN).replaceAll(";", ""))),
      "TOKEN",
      "body",
    ],
    ["with spaces as plus and as %20", inBody(percent(SPACED).replace("%20", "+")), "SPACED", "body"],
    ["with spaces as plus and as they are", inBody(SPACED.replace(" ", "+")), "SPACED", "body"],
    ["with spaces as plus and as %20 in JSON", inBody(unicode(percent(SPACED).replace("%20", "+"))), "SPACED", "body"],
    [
      "that seems to hold escapes, in JSON inside percent-encoding inside JSON",
      inBody(unicode(percentAll(json(ESCAPED)))),
      "ESCAPED",
      "body",
    ],
    ["as base64 inside percent-encoding inside JSON", inBody(unicode(percentAll(base64(VALUE)))), "KEY", "body"],
    [
      "as hex inside character references inside percent-encoding",
      inBody(percent(references(hex(VALUE)))),
      "KEY",
      "body",
    ],
    ["as base64 without padding", inBody(base64(VALUE).replace(/=/g, "")), "KEY", "body"],
    ["as base64url", inBody(Buffer.from(VALUE).toString("base64url")), "KEY", "body"],
    ["as base64 in a query", { url: `${URL_TEXT}?a=${percent(base64(VALUE))}`, headers: {} }, "KEY", "url"],
    ["as base64 over lines of a JSON string", inBody(json(base64(VALUE).replace(/.{6}/g, "$&\r\n"))), "KEY", "body"],
    ["as hex", inBody(hex(VALUE)), "KEY", "body"],
    [
      "as hex of mixed case over lines",
      inBody(
        hex(VALUE)
          .replace(/[ace]/g, (c) => c.toUpperCase())
          .replace(/.{5}/g, "$&\n"),
      ),
      "KEY",
      "body",
    ],
  ])("%s", (_where, request, name, place) => {
    expect(scan.scan(request)).toEqual({ name, place });
  });

  // As the HTML standard lists them.
  const NAMES =
    '!excl "quot "QUOT #num $dollar %percnt &amp &AMP \'apos (lpar )rpar *ast *midast +plus ,comma .period /sol :colon ' +
    ";semi <lt <LT =equals >gt >GT ?quest @commat [lbrack [lsqb \\bsol ]rbrack ]rsqb ^Hat _lowbar _UnderBar `grave " +
    "`DiacriticalGrave {lbrace {lcub |verbar |vert |VerticalLine }rbrace }rcub";

  it.each(NAMES.split(" ").map((one) => [one.slice(1), one.charAt(0)]))("with &%s; for %s", (name, character) => {
    const value = `planted${character}secret`;
    const known = createLeakScan([{ name: "KEY", value }]);
    for (const body of [`planted&${name};secret`, percent(`planted&${name};secret`)]) {
      expect(known.scan(inBody(body))).toEqual({ name: "KEY", place: "body" });
    }
    expect(known.scan(inBody(`planted&${name}secret`))).toBeUndefined();
  });

  it("however long it is", () => {
    const value = `-----BEGIN KEY-----${"x0Zq".repeat(2_000)}`;
    const long = createLeakScan([{ name: "LONG", value }]);
    for (const body of [value, value.replace("0", "%30"), base64(`ab${value}`), hex(value).toUpperCase()]) {
      expect(long.scan(inBody(`${"x0Zq".repeat(3_000)} ${body}.`))).toEqual({ name: "LONG", place: "body" });
    }
    expect(long.scan(inBody(`${value.slice(0, -1)} ${value.slice(1)}`))).toBeUndefined();
  });
});

describe("a request is let through", () => {
  it.each<[string, ScannedRequest]>([
    ["with nothing in it", inBody('{"a":"b","c":"%41 \\u0041"}')],
    ["with broken escapes", inBody('%4 %zz \\u12 \\x "\\')],
    ["with most of a secret", inBody(TOKEN.slice(0, -1))],
    ["with a secret in another case", inBody(TOKEN.toUpperCase())],
    ["with a secret in two pieces", inBody(json([TOKEN.slice(0, 10), TOKEN.slice(10)] as never))],
    ["percent-encoded four times", inBody(percentAll(percentAll(percentAll(percentAll(VALUE)))))],
  ])("%s", (_what, request) => {
    expect(scan.scan(request)).toBeUndefined();
  });

  it("with the secret where the gateway itself has put it, and only there", () => {
    const request = { url: `${URL_TEXT}?api_key=${TOKEN}&q=1`, headers: { authorization: `Bearer ${TOKEN}` } };
    expect(scan.scan(request, ["header:authorization", "query:api_key"])).toBeUndefined();
    expect(scan.scan(request, ["header:authorization"])).toEqual({ name: "TOKEN", place: "url" });
    expect(scan.scan(request, ["query:api_key"])).toEqual({ name: "TOKEN", place: "header:authorization" });
    const twice = { ...request, url: `${request.url}&other=${TOKEN}` };
    expect(scan.scan(twice, ["header:authorization", "query:api_key"])).toEqual({ name: "TOKEN", place: "url" });
  });

  it("where there are no secrets", () => {
    expect(createLeakScan([]).scan(inBody(TOKEN))).toBeUndefined();
    expect(createLeakScan([{ name: "SHORT", value: "abc1234" }]).scan(inBody("abc1234"))).toBeUndefined();
  });
});

describe("the time of a scan", () => {
  const many = Array.from({ length: 20 }, (_, index) => ({
    name: `S${index}`,
    value: `sk_live_${hex(`${index}`.repeat(16))}${index === 0 ? "+ " : ""}`,
  }));
  const MIB = 1_048_576;

  /** Of this process, so that others don't count. About a tenth of what is allowed on an idle machine. */
  function cpuMs(work: () => void): number {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  }

  it.each([
    ["prose", "the quick brown fox jumps over the lazy dog. ".repeat(24_000)],
    ["how all secrets begin", "sk_live_".repeat(MIB / 8)],
    ["layers of percent-encoding", "%25252541".repeat(MIB / 9)],
    ["layers of everything", "%2525%5C%5C\\\\\\\\u0041".repeat(MIB / 21)],
    ["few escapes of every kind", `${"a b".repeat(MIB / 3 - 20)}%25252541 \\\\\\\\"`],
    ["references of HTML", "&amp;&#38;&x;&".repeat(MIB / 14)],
    ["ampersands", "&".repeat(MIB)],
    ["pluses", "+".repeat(MIB)],
    ["layers of mixtures", "&#37;25\\u0035c\\u0075%30%3041&amp;#65".repeat(MIB / 40)],
    ["references without an end", "&#65&#x41".repeat(MIB / 9)],
    ["backslashes", "\\".repeat(MIB)],
  ])("is short for 1 MiB of %s", (_what, body) => {
    const prepared = createLeakScan(many);
    expect(cpuMs(() => expect(prepared.scan(inBody(body))).toBeUndefined())).toBeLessThan(1_000);
  });

  it("is short for many secrets that are alike but for the case of their letters", () => {
    const letters = (index: number) => Array.from({ length: 10 }, (_, bit) => ((index >> bit) & 1 ? "A" : "a"));
    const alike = Array.from({ length: 900 }, (_, index) => ({
      name: `S${index}`,
      value: "a".repeat(22) + letters(index + 1).join(""),
    }));
    const prepared = createLeakScan(alike);
    const body = "a".repeat(499_000);
    expect(cpuMs(() => expect(prepared.scan(inBody(body))).toBeUndefined())).toBeLessThan(1_000);
    expect(prepared.scan(inBody(`${body}${letters(511).join("")}${body}`))).toEqual({ name: "S511", place: "body" });
  });

  it("is short for many secrets each of which begins with the one before", () => {
    const nested = Array.from({ length: 300 }, (_, index) => ({
      name: `S${index}`,
      value: `${"a".repeat(8 + index)}b`,
    }));
    const prepared = createLeakScan(nested.map(({ name, value }) => ({ name, value: `x${value}` })));
    const body = "xaaaaaaa".repeat(62_000);
    expect(cpuMs(() => expect(prepared.scan(inBody(body))).toBeUndefined())).toBeLessThan(1_000);
    expect(prepared.scan(inBody(`${body}x${"a".repeat(17)}b`))).toEqual({ name: "S9", place: "body" });
  });

  it("is short for secrets that repeat themselves", () => {
    const run = "a".repeat(4_000);
    const periodic = createLeakScan([`${run}b`, `b${run}`, `${run}b${run}`].map((value) => ({ name: "P", value })));
    const body = "a".repeat(MIB);
    expect(cpuMs(() => expect(periodic.scan(inBody(body))).toBeUndefined())).toBeLessThan(1_000);
  });
});
