import type { ToolErrorRecord } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapExternal } from "../../src/execution/machine/external-data.ts";
import {
  estimateErrorTokens,
  estimateResultTokens,
  isArtifact,
  MAX_ERROR_CHARACTERS,
  MAX_PREVIEW_CHARACTERS,
  MAX_RESULT_CHARACTERS,
  resultCharacters,
} from "../../src/execution/machine/result-tokens.ts";
import { projectError } from "../../src/projection/project.ts";

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

describe("what the model reads of a failure", () => {
  it("is what it can act on, and nothing of the log's", () => {
    expect(JSON.parse(projectError(error, 1_000))).toEqual({
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

  it("is cut where it is too long, so that one can see it", () => {
    const text = projectError({ ...error, details: "x".repeat(1_000) }, 300);
    expect(text).toMatch(/^.{300}\n\[cut: \d+ of \d+ characters left out\]$/);
  });

  it("never ends in half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 20 }), fc.integer({ min: 1, max: 200 }), (text, most) => {
        expect(projectError({ ...error, message: text }, most).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("the estimate of tokens", () => {
  const call = { id: "tc_1", name: "lookup_order", kind: "handler" } as const;

  it.each(["", "x", "x".repeat(42)])("of a result is a quarter of its characters, rounded up: %o", (result) => {
    const characters = resultCharacters(result, call);
    expect(characters).toBe(JSON.stringify(result).length);
    expect(estimateResultTokens({ resultCharacters: characters })).toBe(Math.ceil(characters / 4));
  });

  it("of a result that is an artifact is that of its preview", () => {
    const characters = resultCharacters("x".repeat(MAX_RESULT_CHARACTERS), call);
    expect(isArtifact({ resultCharacters: characters })).toBe(true);
    expect(estimateResultTokens({ resultCharacters: characters })).toBe(MAX_PREVIEW_CHARACTERS / 4);
  });

  it("of a result past its tool's own budget is that of a preview within it", () => {
    const projection = { maxTokens: 1_000 };
    expect(isArtifact({ resultCharacters: 4_000, projection })).toBe(false);
    expect(isArtifact({ resultCharacters: 4_001, projection })).toBe(true);
    expect(estimateResultTokens({ resultCharacters: 4_001, projection })).toBe(1_000);
    expect(estimateResultTokens({ resultCharacters: 50_001, projection: { maxTokens: 12_500 } })).toBe(2_000);
  });

  it("counts the frame of what came from outside", () => {
    const foreign = { ...call, kind: "network" } as const;
    expect(resultCharacters("x", foreign)).toBe(wrapExternal('"x"', foreign).length);
    const text = wrapExternal(projectError(error, MAX_ERROR_CHARACTERS), foreign);
    expect(estimateErrorTokens(error, foreign)).toBe(Math.ceil(text.length / 4));
  });

  it("of a failure is a quarter of what the model reads of it", () => {
    const { hint: _hint, details: _details, ...bare } = error;
    for (const record of [error, bare]) {
      expect(estimateErrorTokens(record, call)).toBe(Math.ceil(projectError(record, MAX_ERROR_CHARACTERS).length / 4));
    }
  });
});
