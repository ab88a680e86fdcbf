import { expect, it } from "vitest";
import { applyTaint } from "../../src/executions/run/taint-policy.ts";

const page = { tool: "url_fetch", origin: "https://a.test" };
const tool = {
  policyDecision: { decision: "allowed", reason: "risk class business_write" },
  risk: "business_write",
  asksAfterUntrusted: true,
} as const;

it.each<[string, Parameters<typeof applyTaint>[0], string]>([
  ["one page", [page], "after reading untrusted content (https://a.test through url_fetch), the model"],
  [
    "the same site twice",
    [page, page],
    "after reading untrusted content (https://a.test through url_fetch), the model",
  ],
  [
    "two sites",
    [{ ...page, origin: "https://b.test" }, page],
    "after reading untrusted content (https://a.test through url_fetch and 1 more source), the model",
  ],
  [
    "a search of the provider",
    [{ tool: "web_search", origin: undefined }],
    "after reading untrusted content (results of web_search), the model",
  ],
])("the reason names %s", (_name, reads, beginning) => {
  const decision = applyTaint(reads, tool);
  expect(decision.decision).toBe("approval_required");
  expect(decision.reason.startsWith(beginning)).toBe(true);
});

it("changes nothing if nothing was read, the tool need not ask, or the policy has denied the call already", () => {
  const denied = { decision: "denied", reason: "not here" } as const;
  expect(applyTaint([], tool)).toBe(tool.policyDecision);
  expect(applyTaint([page], { ...tool, asksAfterUntrusted: false })).toBe(tool.policyDecision);
  expect(applyTaint([page], { ...tool, policyDecision: denied })).toBe(denied);
});
