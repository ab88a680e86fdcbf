import { describe, expect, it } from "vitest";
import { openReader } from "./reader-world.ts";

const { read } = openReader();
const ascii = (text: string) => Buffer.from(text, "latin1");
const hex = (bytes: string) => Buffer.from(bytes, "hex");

describe("bytes as iconv of GNU libc 2.36 writes them, with the encoding in the header and in the page", () => {
  it.each([
    ["shift_jis", "日本語", "93fa967b8cea"],
    ["Windows-31J", "日本語", "93fa967b8cea"],
    ["euc-jp", "日本語", "c6fccbdcb8ec"],
    ["iso-2022-jp", "日本語", "1b2442467c4b5c386c1b2842"],
    ["euc-kr", "한국어", "c7d1b1b9beee"],
    ["ks_c_5601-1987", "한국어", "c7d1b1b9beee"],
    ["gb18030", "中文", "d6d0cec4"],
    ["gb2312", "中文", "d6d0cec4"],
    ["big5", "中文", "a4a4a4e5"],
    ["windows-1251", "Привет", "cff0e8e2e5f2"],
    ["koi8-r", "Привет", "f0d2c9d7c5d4"],
    ["iso-8859-2", "žluťoučký", "be6c75bb6f75e86bfd"],
    ["windows-1250", "žluťoučký", "9e6c759d6f75e86bfd"],
    ["iso-8859-1", "naïve€", "6e61ef766580"],
    ["iso-8859-7", "Ελλάδα", "c5ebebdce4e1"],
    ["windows-1256", "مرحبا", "e3d1cdc8c7"],
    ["windows-1255", "שלום", "f9ece5ed"],
    ["windows-874", "ไทย", "e4b7c2"],
    ["macintosh", "café", "6361668e"],
  ])("%s", async (label, text, bytes) => {
    const byHeader = { body: hex(bytes), contentType: `text/plain; charset="${label}"` };
    expect((await read(byHeader)).text).toBe(text);
    const body = Buffer.concat([ascii(`<!doctype html><html><meta charset=${label}><p>`), hex(bytes)]);
    expect((await read({ body, contentType: "text/html" })).text).toBe(text);
  });
});

describe("what counts, in the order of the HTML Standard (13.2.3.2)", () => {
  const cyrillic = hex("cff0e8e2e5f2");
  const page = (head: string, bytes: Buffer) => Buffer.concat([ascii(`<html><head>${head}</head><p>`), bytes]);

  it.each<[string, Buffer, string | undefined, string]>([
    ["a byte order mark before the header", Buffer.from("\uFEFFПривет"), "text/plain; charset=windows-1251", "Привет"],
    ["a mark of UTF-16, little end first", hex("fffe1f04400438043204350442 04".replace(" ", "")), undefined, "Привет"],
    ["a mark of UTF-16, big end first", hex("feff041f04400438043204350442"), undefined, "Привет"],
    [
      "UTF-16 without a mark",
      Buffer.from("plain text in two bytes", "utf16le"),
      "text/plain",
      "plain text in two bytes",
    ],
    [
      "the header before the page",
      page("<meta charset=koi8-r>", cyrillic),
      "text/html; charset=windows-1251",
      "Привет",
    ],
    [
      "http-equiv",
      page('<meta http-equiv=Content-Type content="text/html; charset=windows-1251">', cyrillic),
      "text/html",
      "Привет",
    ],
    [
      "a declaration of XML",
      Buffer.concat([ascii('<?xml version="1.0" encoding="windows-1251"?><html><p>'), cyrillic]),
      "application/xhtml+xml",
      "Привет",
    ],
    [
      "a name that nobody knows counts for nothing",
      page("<meta charset=klingon>", Buffer.from("Привет")),
      "text/html",
      "Привет",
    ],
    ["a page that calls its ASCII UTF-16", page("<meta charset=utf-16>", Buffer.from("Привет")), "text/html", "Привет"],
    [
      "a word in a comment counts for nothing",
      page("<!-- <meta charset=koi8-r> -->", Buffer.from("Привет")),
      "text/html",
      "Привет",
    ],
    ["nothing said, and UTF-8", page("", Buffer.from("Привет")), "text/html", "Привет"],
    ["nothing said, and no UTF-8: windows-1252", page("", hex("6e61ef766580")), "text/html", "naïve€"],
    [
      "nothing said, and one broken byte in UTF-8",
      Buffer.concat([Buffer.from("Привет, мир "), hex("ff")]),
      "text/plain",
      "Привет, мир \uFFFD",
    ],
  ])("%s", async (_name, body, contentType, text) => {
    expect((await read({ body, contentType })).text).toBe(text);
  });
});
