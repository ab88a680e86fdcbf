import type { ToolErrorRecord } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  estimateErrorTokens,
  estimateResultTokens,
  MAX_RESULT_CHARACTERS,
} from "../../src/execution/machine/result-tokens.ts";
import { projectError, projectResult } from "../../src/projection/project.ts";

const error: ToolErrorRecord = {
  code: "TIMEOUT",
  message: "took too long",
  hint: "go on without it",
  retryable: false,
  outcome: "unknown",
  source: "gateway",
  toolName: "lookup_order",
  toolCallId: "tc_1",
  attempts: 2,
  details: { field: "orderId" },
  developerMessage: "connect ECONNREFUSED 10.0.0.7:8443",
};

describe("what the model reads of a result", () => {
  it("is its JSON", () => {
    expect(projectResult({ status: "shipped", days: [1, null] }, 100)).toBe('{"status":"shipped","days":[1,null]}');
  });

  it.each([
    [10, '"xxxxxxxx"'],
    [9, '"xxxxxxxx\n[cut: 1 of 10 characters left out]'],
  ])("is cut at %i characters, where one can see it", (maxCharacters, text) => {
    expect(projectResult("x".repeat(8), maxCharacters)).toBe(text);
  });

  it("never ends in half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, maxCharacters) => {
        expect(projectResult(text, maxCharacters).isWellFormed()).toBe(true);
      }),
    );
    expect(projectResult("😀😀", 2)).toBe('"\n[cut: 5 of 6 characters left out]');
  });
});

describe("what the model reads of a failure", () => {
  it("is what it can act on, and nothing of the log's", () => {
    expect(JSON.parse(projectError(error))).toEqual({
      error: {
        code: "TIMEOUT",
        message: "took too long",
        hint: "go on without it",
        retryable: false,
        outcome: "unknown",
        details: { field: "orderId" },
      },
    });
  });
});

describe("the estimate of tokens", () => {
  it("is a quarter of the characters that the model reads, rounded up", () => {
    for (const text of ["", "x", "x".repeat(42), "x".repeat(MAX_RESULT_CHARACTERS * 2)]) {
      const read = Math.min(projectResult(text, MAX_RESULT_CHARACTERS).length, MAX_RESULT_CHARACTERS);
      expect(estimateResultTokens(text)).toBe(Math.ceil(read / 4));
    }
    const { hint: _hint, details: _details, ...bare } = error;
    for (const record of [error, bare]) {
      expect(estimateErrorTokens(record)).toBe(Math.ceil(projectError(record).length / 4));
    }
  });
});
