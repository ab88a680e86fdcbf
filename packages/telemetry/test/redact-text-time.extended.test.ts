import { redactText } from "@yagate/lib/redaction/redact-text";
import { describe, expect, it } from "vitest";
import { contentPreview } from "../src/spans/content-preview.ts";

describe("a text that is made to be slow", () => {
  function quickest(use: () => unknown): number {
    const times = Array.from({ length: 7 }, () => {
      const startedAt = performance.now();
      use();
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  }

  it.each(["-eyJaaaaaaaa", ".eyJaaaaaaaa", '"token":"\\', "Bearer ", "yk_.", '"secret" '])(
    "of %o over and over takes no longer for each of its parts when it has more of them",
    (part) => {
      const short = part.repeat(25_000 / part.length);
      const long = part.repeat(400_000 / part.length);
      redactText(short);
      // Sixteen times the length: a time that grows with its square would be 256 times as long.
      expect(quickest(() => redactText(long)) / quickest(() => redactText(short))).toBeLessThan(80);
    },
    20_000,
  );

  it("is only read as far as a preview needs it", () => {
    const short = "-eyJaaaaaaaa".repeat(1_000);
    const long = "-eyJaaaaaaaa".repeat(100_000);
    contentPreview(short);
    expect(quickest(() => contentPreview(long))).toBeLessThan(quickest(() => redactText(long)) / 10);
    expect(contentPreview(long)).toHaveLength(1_000);
  });
});
