import type { AppliedRule } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { chooseIntents, type IntentQuestion } from "../src/choose-intents.ts";

const SEARCH = { name: "web.search", isRequired: false };
const ORDERS = { name: "business.order.query", isRequired: false };
const rule = (change: Partial<AppliedRule>): AppliedRule => ({ name: "r", intents: [], ...change });

function choose(change: Partial<IntentQuestion>) {
  const question = { listed: [SEARCH, ORDERS], applied: [], routing: {}, callersChoice: undefined, ...change };
  const { intents, toolChoice, hidesOthers } = chooseIntents(question);
  const words = [...intents.values()].map(({ reason, visibility }) => `${reason}:${visibility}`);
  return [...words, toolChoice, hidesOthers ? "others hidden" : "others shown"].join(" ");
}

describe("chooseIntents", () => {
  it.each<[string, Partial<IntentQuestion>, string]>([
    ["everything without rules", {}, "default:shown default:shown auto others shown"],
    [
      "what a rule prefers, and defers the rest",
      { applied: [rule({ intents: ["web.search"] })] },
      "rule:shown not_preferred:deferred auto others shown",
    ],
    [
      "what all applied rules prefer",
      { applied: [rule({ intents: ["web.search"] }), rule({ intents: ["business.order.query"] })] },
      "rule:shown rule:shown auto others shown",
    ],
    [
      "only what a strict rule names",
      { applied: [rule({ intents: ["web.search"], strict: true })] },
      "rule:shown strict:hidden auto others hidden",
    ],
    [
      "a required intent beside a strict rule",
      { listed: [SEARCH, { ...ORDERS, isRequired: true }], applied: [rule({ intents: ["web.search"], strict: true })] },
      "rule:shown required:shown auto others hidden",
    ],
    [
      "no tool if the only rule forbids it",
      { applied: [rule({ toolChoice: "forbidden" })] },
      "default:shown default:shown forbidden others shown",
    ],
    [
      "tools although a rule forbids them, if another rule applies",
      { applied: [rule({ toolChoice: "forbidden", strict: true }), rule({ intents: ["web.search"] })] },
      "rule:shown not_preferred:deferred auto others shown",
    ],
    [
      "tools although a rule forbids them, if an intent is required",
      { listed: [{ ...SEARCH, isRequired: true }, ORDERS], applied: [rule({ toolChoice: "forbidden" })] },
      "required:shown default:shown auto others shown",
    ],
    [
      "a call that a rule requires",
      { applied: [rule({ toolChoice: "required" }), rule({ toolChoice: "auto" })] },
      "default:shown default:shown required others shown",
    ],
    [
      "the choice of the caller over that of the rules",
      { applied: [rule({ toolChoice: "required" })], callersChoice: "forbidden" },
      "default:shown default:shown forbidden others shown",
    ],
    [
      "what the caller names",
      { routing: { intents: ["web.search"] } },
      "caller:shown excluded:hidden auto others shown",
    ],
    [
      "what the caller names of what the rules leave",
      {
        routing: { intents: ["web.search", "business.order.query"] },
        applied: [rule({ intents: ["web.search"], strict: true })],
      },
      "rule:shown strict:hidden auto others hidden",
    ],
    [
      "no required intent that the caller excludes",
      { listed: [{ ...SEARCH, isRequired: true }, ORDERS], routing: { intents: ["business.order.query"] } },
      "excluded:hidden caller:shown auto others shown",
    ],
  ])("chooses %s", (_what, question, expected) => {
    expect(choose(question)).toBe(expected);
  });
});
