import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/conformance/finding.ts";
import type { AnswerTraits } from "../../src/conformance/judgements.ts";
import { judgeRuns } from "../../src/conformance/run-counter.ts";
import type { Exchange } from "../../src/conformance/wire/exchange.ts";

const SIGNATURE = `sha256=${"0".repeat(64)}`;

function answer(status: number, json: unknown, signature?: string): Exchange {
  const headers = new Map(signature === undefined ? [] : [["x-ya-signature", signature]]);
  return { kind: "answer", status, headers, body: Buffer.from(JSON.stringify(json)), tookMs: 1 };
}

/** What is said of copies that were all answered in one way. */
async function outcomeOf(copies: number, exchange: Exchange, genuine: AnswerTraits): Promise<Finding["outcome"]> {
  const counter = {
    description: "counted by the tool's result, which differs each time",
    isResultUnique: genuine.hasResult,
    genuine,
  };
  return (await judgeRuns(counter, 1, async () => Array.from({ length: copies }, () => exchange))).outcome;
}

const RESULT = { result: { run: 1 } };
const ERROR = { error: { code: "INTERNAL", message: "" } };

describe("copies that are all answered alike", () => {
  it.each<[string, number, Exchange, Finding["outcome"]]>([
    ["20 signed results", 20, answer(200, RESULT, SIGNATURE), "pass"],
    ["20 times 500", 20, answer(500, ERROR, SIGNATURE), "fail"],
    ["twice 401", 2, answer(401, ERROR), "fail"],
    ["twice 409", 2, answer(409, { error: { code: "CALL_CONFLICT", message: "" } }, SIGNATURE), "fail"],
    ["20 times an error of the tool", 20, answer(200, ERROR, SIGNATURE), "fail"],
    ["20 times 200 without anything", 20, answer(200, {}, SIGNATURE), "fail"],
    ["20 results without a signature", 20, answer(200, RESULT), "fail"],
  ])("are judged by what a genuine call got, a signed result: %s", async (_name, copies, exchange, outcome) => {
    expect(await outcomeOf(copies, exchange, { hasResult: true, isSigned: true })).toBe(outcome);
  });

  it.each<[string, Exchange, Finding["outcome"]]>([
    ["an error of the tool", answer(200, ERROR), "not-judged"],
    ["500", answer(500, ERROR), "fail"],
  ])("are judged by what a genuine call got, an unsigned error: %s", async (_name, exchange, outcome) => {
    expect(await outcomeOf(2, exchange, { hasResult: false, isSigned: false })).toBe(outcome);
  });
});
