import { describe, expect, it } from "vitest";
import { createRedaction } from "../../src/redaction/redaction.ts";

const KEY = { name: "KEY", value: 'k9/"Q+7\\z-hT~2w:Zb{4' };
const redaction = createRedaction([KEY, { name: "OTHER", value: "never-anywhere-0000" }]);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const percentEach = (text: string) => hex(text).replace(/../g, "%$&");
const unicodeEach = (text: string) => hex(text).replace(/../g, "\\u00$&");
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Longer runs of a secret tell something of it. */
const TELLING_CHARACTERS = 6;

describe("a text that was cut", () => {
  it.each<[string, (value: string) => string]>([
    ["as it is", (value) => value],
    ["in a URL", encodeURIComponent],
    ["percent-encoded", percentEach],
    ["percent-encoded twice", (value) => encodeURIComponent(percentEach(value))],
    ["percent-encoded three times", (value) => encodeURIComponent(encodeURIComponent(percentEach(value)))],
    ["in JSON", inJson],
    ["in JSON inside JSON", (value) => inJson(inJson(value))],
    ["in JSON as escapes", unicodeEach],
    ["in JSON as escapes, percent-encoded", (value) => encodeURIComponent(unicodeEach(value))],
    ["percent-encoded in JSON as escapes", (value) => unicodeEach(encodeURIComponent(value))],
    ["as base64", base64],
    ["as base64 behind one byte", (value) => base64(`x${value}`).slice(2)],
    ["as base64url behind two bytes", (value) => Buffer.from(`xy${value}`).toString("base64url").slice(3)],
    ["as base64 over lines", (value) => base64(value).replace(/.{6}/g, "$&\r\n")],
    ["as references of HTML", (value) => Array.from(value, (c) => `&#${c.charCodeAt(0)};`).join("")],
    ["as references of HTML in hex", (value) => hex(value).replace(/../g, "&#x$&;")],
    ["in HTML", (value) => value.replaceAll('"', "&quot;").replaceAll("/", "&sol;")],
    ["in HTML inside JSON", (value) => inJson(value.replaceAll('"', "&quot;"))],
    ["as hex", hex],
    ["as hex in pairs", (value) => hex(value).replace(/..(?!$)/g, "$&:")],
    ["as upper-case hex", (value) => hex(value).toUpperCase()],
  ])("anywhere in a secret %s shows no part of it", (_how, encode) => {
    const before = "it was: ";
    const encoded = encode(KEY.value);
    for (let at = 0; at <= encoded.length; at++) {
      const left = redaction.cutText(before + encoded.slice(0, at));
      expect(left.startsWith(before)).toBe(true);
      const shown = left.slice(before.length).split("[redacted:KEY]").join("");
      expect(shown.length, `${shown} is left of ${at} characters`).toBeLessThan(TELLING_CHARACTERS);
    }
  });

  it("behind a secret that ends as it begins loses all of it", () => {
    const { cutText } = createRedaction([{ name: "S", value: "abcd1234abcd" }]);
    expect(cutText("x abcd1234abcd")).toBe("x [redacted:S]");
    expect(cutText("x abcd1234abcd1234ab")).toBe("x [redacted:S]");
    expect(cutText("x abcd1234abcd, abcd1")).toBe("x [redacted:S], ");
  });

  it("keeps what is no beginning of a secret, and beginnings that are too short to tell anything", () => {
    for (const text of ["", "a b", "k9/", "k9/-", "100 %", "a\\", "Q+7\\z-hT", "AT&T &", "☃"]) {
      expect(redaction.cutText(text)).toBe(text);
    }
    expect(createRedaction([]).cutText(KEY.value.slice(0, 10))).toBe(KEY.value.slice(0, 10));
  });

  it("is the same when it is searched in turns", async () => {
    const text = `${"a b %41 ".repeat(50_000)}${KEY.value}, ${KEY.value.slice(0, -1)}`;
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect(await redaction.body(text, { isCut: true })).toBe(redaction.cutText(text));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    expect(await redaction.body(text, { isCut: false })).toBe(redaction.text(text));
  });
});
