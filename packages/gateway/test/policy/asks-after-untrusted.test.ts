import type { AgentPolicy, ApprovalMode, RiskClass } from "@yagate/protocol";
import { expect, it } from "vitest";
import { asksAfterUntrusted } from "../../src/policy/authorise.ts";

it.each<[RiskClass | null, ApprovalMode, ApprovalMode | undefined, AgentPolicy["untrusted"], boolean]>([
  ["destructive", "destructive", undefined, undefined, true],
  ["business_write", "destructive", undefined, "approve_writes", true],
  ["idempotent_write", "destructive", "destructive", undefined, true],
  ["draft_write", "writes", undefined, undefined, true],
  ["read_only", "destructive", undefined, undefined, false],
  ["external_read", "destructive", undefined, undefined, false],
  [null, "destructive", undefined, undefined, false],
  ["business_write", "never", undefined, undefined, false],
  ["business_write", "destructive", "never", undefined, false],
  ["business_write", "never", "destructive", undefined, true],
  ["destructive", "destructive", undefined, "allow", false],
  [null, "destructive", undefined, "approve_undeclared", true],
  [null, "destructive", undefined, "approve_writes", false],
  [null, "destructive", "never", "approve_undeclared", false],
  [null, "never", undefined, "approve_undeclared", false],
  ["draft_write", "destructive", undefined, "approve_undeclared", true],
  ["external_read", "destructive", undefined, "approve_undeclared", false],
])("%s, of an agent with %s, a tool with %s and untrusted %s: %s", (risk, mode, approval, untrusted, asks) => {
  const policy = { network: false, approval: mode, ...(untrusted === undefined ? {} : { untrusted }) };
  expect(asksAfterUntrusted(policy, { risk, approval })).toBe(asks);
});
