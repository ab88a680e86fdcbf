import { createIntegrationSchema } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../../store/src/sqlite.ts";
import { NOW } from "../../../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../../../store/test/support/temporary-directory.ts";
import { createPlanCatalog } from "../../../src/policy/plans/plan-catalog.ts";
import type { LimitedCall } from "../../../src/policy/rate-limits/call-limits.ts";
import { createIntegrations } from "../../../src/tools/integrations/integrations.ts";
import { createNetworkLimits } from "../../../src/tools/integrations/network-limits.ts";

const WORKSPACE = "ws_a";
const MINUTE_MS = 60_000;

let directory: TemporaryDirectory;
let store: Store;
let at: number;

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  store = await openSqliteStore({ dataDir: directory.path });
  at = NOW;
  const secret = { id: "sec_a", workspaceId: WORKSPACE, name: "default", sealed: "sealed", expiresAt: null };
  await store.workspaces.create(
    { id: WORKSPACE, name: "a", plan: "standard", createdAt: NOW },
    { ...secret, createdAt: NOW, isSeen: true },
  );
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

/** What one process has of it. */
function connect({ maxAgeMs }: { readonly maxAgeMs?: number } = {}) {
  const now = () => at;
  const age = maxAgeMs === undefined ? {} : { maxAgeMs };
  const integrations = createIntegrations({ store: store.integrations, now, ...age });
  const plans = createPlanCatalog({ tiny: { callsPerExecution: 3, callsPerMinute: 2, creditsPerCall: 7 } });
  const { limits, workspacePlans } = createNetworkLimits({ store, plans, integrations, now, ...age });
  const add = (name: string, standard: object, domain = "*.shop.example") =>
    integrations.create(
      WORKSPACE,
      createIntegrationSchema.parse({ name, allowedDomains: [domain], limits: { standard } }),
    );
  return { integrations, limits, workspacePlans, add };
}

const callOf = (ordinal: number, rest: Partial<LimitedCall> = {}): LimitedCall => ({
  workspaceId: WORKSPACE,
  executionId: "exec_1",
  ordinal,
  isPrimitive: true,
  host: "api.shop.example",
  integrations: ["shop"],
  ...rest,
});

const OTHER = { host: "api.other.example" };
const COMPOSED = { isPrimitive: false };

describe("the plan of a workspace", () => {
  it("limits the calls of primitives per execution and names the limit", async () => {
    const { limits } = connect();
    expect(await limits.admit(callOf(20))).toBeUndefined();
    const refusal = await limits.admit(callOf(21));
    expect(refusal).toMatchObject({ code: "RATE_LIMITED", source: "gateway", isRetryable: false, outcome: "none" });
    expect(refusal?.message).toBe(
      "the plan of this workspace allows at most 20 requests per execution, and they are used up; trying again will not help",
    );
    expect(await limits.admit(callOf(21, COMPOSED))).toBeUndefined();
  });

  it("limits the calls of primitives per minute over all executions and says when to try again", async () => {
    const { limits } = connect();
    for (let count = 1; count <= 10; count += 1) {
      expect(await limits.admit(callOf(1, { executionId: `exec_${count}` }))).toBeUndefined();
    }
    at += 17_500;
    expect(await limits.admit(callOf(1))).toMatchObject({
      code: "RATE_LIMITED",
      isRetryable: true,
      retryAfterMs: 42_500,
      message:
        "the plan of this workspace allows at most 10 requests per minute, and they are used up; try again in 43 s",
    });
    expect(await limits.admit(callOf(1, COMPOSED))).toBeUndefined();
    expect(await limits.admit(callOf(1, { workspaceId: "ws_b" }))).toBeUndefined();
    at = NOW + MINUTE_MS;
    expect(await limits.admit(callOf(1))).toBeUndefined();
  });

  it("does not count a call that the limit of its execution refuses", async () => {
    const { limits } = connect();
    for (let count = 1; count <= 30; count += 1) await limits.admit(callOf(21));
    expect(await limits.admit(callOf(1))).toBeUndefined();
  });

  it("applies to calls after its change", async () => {
    const { limits, workspacePlans } = connect();
    expect(workspacePlans.names).toEqual(["standard", "pro", "tiny"]);
    expect(await limits.responseBytes(callOf(1))).toBe(500_000);
    await workspacePlans.change(WORKSPACE, "pro");
    expect(await limits.responseBytes(callOf(1))).toBe(2_000_000);
    expect(await limits.admit(callOf(50))).toBeUndefined();
    expect(await limits.admit(callOf(51))).toBeDefined();
    await workspacePlans.change(WORKSPACE, "tiny");
    expect(await limits.creditsPerCall(WORKSPACE)).toBe(7);
    expect(await limits.responseBytes(callOf(1))).toBe(500_000);
    expect(await limits.admit(callOf(4))).toMatchObject({ message: expect.stringContaining("at most 3 requests") });
  });

  it("is standard where the gateway does not know its name", async () => {
    const { limits, add } = connect();
    await store.workspaces.setPlan(WORKSPACE, "of-another-time");
    expect(await limits.creditsPerCall(WORKSPACE)).toBe(0.5);
    await add("shop", { responseBytes: 10 });
    expect(await limits.responseBytes(callOf(1))).toBe(10);
  });
});

describe("the limits of an integration", () => {
  it("count for every tool with requests to its domains where the agent enables it", async () => {
    const { limits, add } = connect();
    await add("shop", { callsPerMinute: 1 });
    expect(await limits.admit(callOf(1, COMPOSED))).toBeUndefined();
    const refused = {
      retryAfterMs: MINUTE_MS,
      message: expect.stringMatching(/^the integration shop allows at most 1 request per minute/),
    };
    expect(await limits.admit(callOf(1, COMPOSED))).toMatchObject(refused);
    expect(await limits.admit(callOf(1))).toMatchObject(refused);
    expect(await limits.admit(callOf(1, OTHER))).toBeUndefined();
    expect(await limits.admit(callOf(1, { integrations: [] }))).toBeUndefined();
    expect(await limits.admit(callOf(1, { ...COMPOSED, integrations: "all" }))).toMatchObject(refused);
    expect(await limits.admit(callOf(1, { ...COMPOSED, ...OTHER, integrations: "all" }))).toBeUndefined();
  });

  it("count each execution separately", async () => {
    const { limits, add } = connect();
    await add("shop", { callsPerExecution: 2 });
    const admit = (executionId: string) => limits.admit(callOf(1, { executionId, ...COMPOSED }));
    for (const executionId of ["exec_1", "exec_1", "exec_2"]) expect(await admit(executionId)).toBeUndefined();
    at += 10 * MINUTE_MS;
    expect(await admit("exec_1")).toMatchObject({
      isRetryable: false,
      message: expect.stringMatching(/^the integration shop allows at most 2 requests per execution/),
    });
    expect(await admit("exec_2")).toBeUndefined();
  });

  it("apply together with the plan's: a call that one of them refuses counts against none", async () => {
    const { limits, add } = connect();
    await add("shop", { callsPerMinute: 1 });
    await limits.admit(callOf(1));
    for (let count = 1; count <= 20; count += 1) expect(await limits.admit(callOf(1))).toBeDefined();
    for (let count = 1; count <= 9; count += 1) expect(await limits.admit(callOf(1, OTHER))).toBeUndefined();
    expect(await limits.admit(callOf(1, OTHER))).toMatchObject({ message: expect.stringContaining("the plan") });
  });

  it("can lower the response size of the plan, never raise it", async () => {
    const { limits, add } = connect();
    await add("shop", { responseBytes: 1_000 });
    await add("wide", { responseBytes: 40_000_000 }, "api.other.example");
    const call = callOf(1, { integrations: ["shop", "wide"] });
    expect(await limits.responseBytes(call)).toBe(1_000);
    expect(await limits.responseBytes({ ...call, ...OTHER })).toBe(500_000);
  });

  it("take effect in other processes once the cached value expires", async () => {
    const [here, there] = [connect({ maxAgeMs: 1_000 }), connect({ maxAgeMs: 1_000 })];
    const seen = async () => (await there.integrations.enabled(WORKSPACE, ["shop", "none"])).map(({ name }) => name);
    expect(await seen()).toEqual([]);
    await here.add("shop", {});
    expect(await here.integrations.enabled(WORKSPACE, ["shop"])).toMatchObject([
      { name: "shop", allowedDomains: ["*.shop.example"], ports: [443] },
    ]);
    expect(await seen()).toEqual([]);
    at += 1_000;
    expect(await seen()).toEqual(["shop"]);
    await here.integrations.delete(WORKSPACE, "shop");
    expect(await here.integrations.enabled(WORKSPACE, ["shop"])).toEqual([]);
  });
});
