import type { ToolErrorRecord } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import {
  estimateErrorTokens,
  estimateResultTokens,
  isArtifact,
  MAX_PREVIEW_CHARACTERS,
  MAX_RESULT_CHARACTERS,
  resultCharacters,
  wrapExternal,
} from "../src/result-tokens.ts";
import { errorText } from "../src/tool-error.ts";

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
  it("is what it can act on, without the fields for the log", () => {
    expect(JSON.parse(errorText(error))).toEqual({
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

  it("is that of a preview past 50,000 characters of a result and 36,000 of an error", () => {
    const isCut = (characters: object) => isArtifact({ ...characters });
    expect([50_000, 50_001].map((resultCharacters) => isCut({ resultCharacters }))).toEqual([false, true]);
    expect([36_000, 36_001].map((errorCharacters) => isCut({ errorCharacters }))).toEqual([false, true]);
  });

  it("of a result beyond its tool's own budget is that of a preview within it", () => {
    const projection = { maxTokens: 1_000 };
    expect(isArtifact({ resultCharacters: 4_000, projection })).toBe(false);
    expect(isArtifact({ resultCharacters: 4_001, projection })).toBe(true);
    expect(estimateResultTokens({ resultCharacters: 4_001, projection })).toBe(1_000);
    expect(estimateResultTokens({ resultCharacters: 50_001, projection: { maxTokens: 12_500 } })).toBe(2_000);
  });

  it("counts the frame of untrusted content", () => {
    const foreign = { ...call, kind: "network" } as const;
    expect(resultCharacters("x", foreign)).toBe(wrapExternal('"x"', foreign).length);
    const text = wrapExternal(errorText(error), foreign);
    expect(estimateErrorTokens(error, foreign)).toBe(Math.ceil(text.length / 4));
  });

  it("of a failure is a quarter of what the model reads of it", () => {
    const { hint: _hint, details: _details, ...bare } = error;
    for (const record of [error, bare]) {
      expect(estimateErrorTokens(record, call)).toBe(Math.ceil(errorText(record).length / 4));
    }
  });
});
