import { DEFAULT_PLANS, type Quotas } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { RequestAdmission } from "../../../src/http/quotas/request-admission.ts";

/** The admission of one workspace, whose plan has these quotas. */
function admissionWith(quotas: Partial<Quotas>) {
  const admission = new RequestAdmission({
    quotasOf: async () => ({ ...DEFAULT_PLANS.standard, ...quotas }),
    monotonicNow: () => 1_000,
  });
  return { admit: () => admission.admit("ws_1"), used: () => admission.bytesInFlight("ws_1") };
}

describe("the bodies of a workspace", () => {
  it("have up to as many bytes in flight as the plan says, in all requests together", async () => {
    const { admit, used } = admissionWith({ requestBytesInFlight: 100 });
    const [first, second] = [await admit(), await admit()];
    first.takeBytes(60);
    second.takeBytes(40);
    expect(used()).toBe(100);
    expect(() => second.takeBytes(1)).toThrow(expect.objectContaining({ code: "QUOTA_EXCEEDED" }));
    expect(used()).toBe(100);
    first.end();
    expect(used()).toBe(40);
    second.takeBytes(60);
    second.end();
    expect(used()).toBe(0);
  });

  it("have any number of bytes in flight in a plan without this quota", async () => {
    const { admit, used } = admissionWith({ requestBytesInFlight: null });
    (await admit()).takeBytes(1_000_000_000);
    expect(used()).toBe(1_000_000_000);
  });

  it("may be empty only in a plan that allows none", async () => {
    const request = await admissionWith({ requestBytesInFlight: 0 }).admit();
    request.takeBytes(0);
    expect(() => request.takeBytes(1)).toThrow(expect.objectContaining({ code: "QUOTA_EXCEEDED" }));
  });
});
