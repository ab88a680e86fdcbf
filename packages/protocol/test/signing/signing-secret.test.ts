import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builds } from "./builds.ts";

const base64 = (length: number) => Buffer.alloc(length, 7).toString("base64");

describe.each(builds)("%s", (_name, { generateSigningSecret, parseSigningSecret }) => {
  it("makes secrets of 32 bytes, each another", () => {
    const secrets = Array.from({ length: 50 }, generateSigningSecret);
    for (const secret of secrets) expect(parseSigningSecret(secret).byteLength).toBe(32);
    expect(new Set(secrets).size).toBe(50);
  });

  it("decodes every secret of 24 to 64 bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
        const decoded = parseSigningSecret(`whsec_${Buffer.from(bytes).toString("base64")}`);
        expect(Buffer.compare(decoded, bytes)).toBe(0);
      }),
    );
  });

  it.each([24, 64])("decodes a secret of %i bytes", (length) => {
    expect(parseSigningSecret(`whsec_${base64(length)}`).byteLength).toBe(length);
  });

  const valid = `whsec_${base64(32)}`;
  it.each<[string, string]>([
    ["an empty text", ""],
    ["the prefix alone", "whsec_"],
    ["another prefix", valid.replace("whsec_", "WHSEC_")],
    ["no prefix", base64(32)],
    ["23 bytes", `whsec_${base64(23)}`],
    ["65 bytes", `whsec_${base64(65)}`],
    ["a megabyte", `whsec_${"A".repeat(1_048_576)}`],
    ["a space before", ` ${valid}`],
    ["a space after", `${valid} `],
    ["a newline after", `${valid}\n`],
    ["a newline inside", valid.replace("Bwc", "Bwc\n")],
    ["missing padding", valid.replace("=", "")],
    ["too much padding", `${valid}=`],
    ["stray bits in the last digit", valid.replace("c=", "d=")],
    ["the url-safe alphabet", `whsec_${Buffer.alloc(32, 0xff).toString("base64").replaceAll("/", "_")}`],
    ["a digit outside of ASCII", valid.replace("B", "Ｂ")],
  ])("refuses %s", (_case, secret) => {
    expect(secret).not.toBe(valid);
    expect(() => parseSigningSecret(secret)).toThrow(expect.objectContaining({ code: "SECRET_INVALID" }));
  });
});
