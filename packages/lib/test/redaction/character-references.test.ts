import { expect, it } from "vitest";
import { createLeakScan } from "../../src/redaction/leak-scan.ts";

/** The named character references of the HTML standard for printable ASCII: https://html.spec.whatwg.org/entities.json */
const REFERENCES = {
  "!": "excl",
  '"': "quot QUOT",
  "#": "num",
  $: "dollar",
  "%": "percnt",
  "&": "amp AMP",
  "'": "apos",
  "(": "lpar",
  ")": "rpar",
  "*": "ast midast",
  "+": "plus",
  ",": "comma",
  ".": "period",
  "/": "sol",
  ":": "colon",
  ";": "semi",
  "<": "lt LT",
  "=": "equals",
  ">": "gt GT",
  "?": "quest",
  "@": "commat",
  "[": "lbrack lsqb",
  "\\": "bsol",
  "]": "rbrack rsqb",
  "^": "Hat",
  _: "lowbar UnderBar",
  "`": "grave DiacriticalGrave",
  "{": "lbrace lcub",
  "|": "verbar vert VerticalLine",
  "}": "rbrace rcub",
};

it.each(Object.entries(REFERENCES).flatMap(([character, names]) => names.split(" ").map((name) => [character, name])))(
  "a secret with %s is found where it is written as &%s;",
  (character, name) => {
    const scan = createLeakScan([{ name: "KEY", value: `k3${character}Q7zhT2w` }]);
    const body = `it is k3&${name};Q7zhT2w.`;
    expect(scan.scan({ url: "https://example.net/", headers: {}, body })).toEqual({ name: "KEY", place: "body" });
  },
);
