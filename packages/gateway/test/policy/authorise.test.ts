import { type ApprovalMode, type RiskClass, riskClassSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { authorise } from "../../src/policy/authorise.ts";

const classes: readonly (RiskClass | null)[] = [...riskClassSchema.options, null];
const decisionsOf = (mode: ApprovalMode) =>
  classes.map(
    (risk) => authorise({ network: false, approval: mode }, { kind: "handler", risk }).decision === "approval_required",
  );

describe("which risk classes require approval", () => {
  it.each<[ApprovalMode, readonly (RiskClass | null)[]]>([
    ["destructive", ["destructive"]],
    ["writes", ["draft_write", "idempotent_write", "business_write", "destructive"]],
    ["always", classes],
    ["never", []],
  ])("%s", (mode, asking) => {
    expect(decisionsOf(mode)).toEqual(classes.map((risk) => asking.includes(risk)));
  });
});

describe("a tool's own mode", () => {
  it.each<[ApprovalMode, ApprovalMode, string]>([
    ["never", "always", "approval_required"],
    ["always", "never", "allowed"],
    ["writes", "destructive", "allowed"],
    ["destructive", "writes", "approval_required"],
  ])("wins over its agent's: %s, and the tool says %s", (approval, own, decision) => {
    const tool = { kind: "handler", risk: "business_write", approval: own } as const;
    expect(authorise({ network: false, approval }, tool)).toMatchObject({ decision });
  });

  it("allows no kind that the agent's policy denies", () => {
    const policy = { network: false, approval: "never", toolKinds: ["compute" as const] } as const;
    const decision = authorise({ ...policy, toolKinds: [...policy.toolKinds] }, { kind: "handler", risk: null });
    expect(decision).toMatchObject({ decision: "denied" });
  });
});

describe("the network", () => {
  const open = { network: true, approval: "destructive" } as const;
  const closed = { ...open, network: false };
  const request = { kind: "network", risk: "read_only" } as const;

  it("is off until the policy turns it on, and the reason says so", () => {
    expect(authorise(closed, request)).toEqual({
      decision: "denied",
      reason: "the agent's policy does not allow network access: policy.network is not true",
    });
    expect(authorise(open, request)).toMatchObject({ decision: "allowed" });
    expect(authorise(open, { ...request, risk: "destructive" })).toMatchObject({ decision: "approval_required" });
  });

  it("is allowed by listing for tools whose destination the gateway chooses", () => {
    expect(authorise(closed, { ...request, isOnByListing: true })).toMatchObject({ decision: "allowed" });
    expect(authorise({ ...closed, toolKinds: ["handler"] }, { ...request, isOnByListing: true })).toMatchObject({
      decision: "denied",
    });
  });

  it("stays denied where the policy does not list its kind", () => {
    expect(authorise({ ...open, toolKinds: ["handler", "file", "shell"] }, request)).toMatchObject({
      decision: "denied",
      reason: "the agent's policy does not allow tools of kind network",
    });
  });

  it.each(["handler", "compute", "data"] as const)("does not matter for the kind %s", (kind) => {
    expect(authorise(closed, { kind, risk: null })).toMatchObject({ decision: "allowed" });
  });
});
