import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretMask } from "../../src/redaction/secret-mask.ts";

const KEY = { name: "KEY", value: "tok_0123456789abcdef" };
const mask = createSecretMask([KEY]);
const BASE64 = Buffer.from(KEY.value).toString("base64url");
const WORDS = "the order is on its way 🙂 ";

function streamed(pieces: readonly string[]): { readonly passed: readonly string[]; readonly beforeEnd: string } {
  const passed: string[] = [];
  const stream = mask.stream((text) => passed.push(text));
  for (const piece of pieces) stream.write(piece);
  const beforeEnd = passed.join("");
  stream.end();
  return { passed, beforeEnd };
}

const hexBytes = (before: string) => Array.from(Buffer.from(KEY.value), (byte) => before + byte.toString(16)).join("");

const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

describe("a text that comes in pieces", () => {
  it.each([1, 3, 7, 50, 10_000])("of %i characters has lost its secrets, and nothing else", (size) => {
    const text = `${WORDS.repeat(20)}${KEY.value}${WORDS.repeat(9)} ${BASE64} ${KEY.value}${WORDS.repeat(30)}`;
    const { passed } = streamed(inPieces(text, size));
    expect(passed.join("")).toBe(mask.text(text));
    expect(passed.join("")).toContain("***KEY***");
  });

  it("is passed on as it comes, but for what may be the beginning of a secret", () => {
    const { beforeEnd, passed } = streamed(inPieces(`${WORDS.repeat(40)}tok_01`, 5));
    expect(beforeEnd).toBe(WORDS.repeat(40));
    expect(passed.join("")).toBe(`${WORDS.repeat(40)}tok_01`);
  });

  it("may be nothing but secrets", () => {
    const { passed } = streamed(inPieces(KEY.value.repeat(200), 11));
    expect(passed.join("")).toBe("***KEY***".repeat(200));
  });

  it("loses them wherever it is broken", () => {
    const word = fc.constantFrom(
      KEY.value,
      BASE64,
      encodeURIComponent(KEY.value),
      Buffer.from(KEY.value).toString("hex"),
      Buffer.from(` ${KEY.value}`).toString("base64"),
      hexBytes("%"),
      hexBytes(":"),
      hexBytes("\\u00"),
      hexBytes("%25"),
      "%25",
      "&#",
      "746f",
      "a",
      "é",
      "🙂",
      " ",
      "tok_0123",
      "\n",
    );
    const words = fc.array(fc.tuple(word, fc.nat(40)), { maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 90 }), (parts, size) => {
        const text = parts.map(([one, count]) => one.padEnd(one.length + count, "-")).join("");
        const passed = streamed(inPieces(text, size)).passed.join("");
        expect(passed).toBe(mask.text(text));
      }),
      { numRuns: 200 },
    );
  });
});

describe("what a model wrote as a value", () => {
  const digits = createSecretMask([{ name: "PIN", value: "4929123412341234" }, KEY]);

  it("loses secrets in strings, keys and numbers, and says which", () => {
    const written = { a: [`x${KEY.value}`], [KEY.value]: 4929123412341234, n: 4929123412341, ok: true };
    const { value, names } = digits.search(written);
    expect(value).toEqual({ a: ["x***KEY***"], "***KEY***": "***PIN***", n: 4929123412341, ok: true });
    expect(names.toSorted()).toEqual(["KEY", "PIN"]);
    expect(digits.search({ a: 1, b: "no" })).toEqual({ value: { a: 1, b: "no" }, names: [] });
  });
});
