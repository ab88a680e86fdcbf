import type { SecretAuth } from "@yagate/protocol";
import { expect, it } from "vitest";
import { NO_TIMINGS } from "../../../../egress/src/egress-error.ts";
import { createCallRequests } from "../../../src/tools/http/call-request.ts";
import { createNetworkExecutor } from "../../../src/tools/http/network-executor.ts";
import type { NetworkTool } from "../../../src/tools/http/network-tool.ts";
import type { WorkspaceEgress } from "../../../src/tools/http/services.ts";

const call = {
  ...{ workspaceId: "ws_1", agentId: "agt_1", executionId: "exec_1", toolCallId: "tc_1", name: "pay" },
  ...{ parameters: {}, attempt: 1 },
};

/** A request whose secret is sent as its current `auth` says, over egress that only counts. */
function world() {
  const sent: string[] = [];
  const state: { auth: SecretAuth; value: string } = { auth: { type: "bearer" }, value: "planted-0123456789" };
  const secret = () => ({
    ...state,
    texts: [state.value],
    hosts: ["api.shop.example"],
    isUnbound: false,
    updatedAt: 0,
  });
  const egress: WorkspaceEgress["authored"] = {
    async request({ url, beforeSend }) {
      beforeSend?.();
      sent.push(url);
      return {
        ...{ status: 200, headers: {}, body: Buffer.from("{}"), isCut: false, durationMs: 1, timings: NO_TIMINGS },
        ...{ requestBytes: 0, responseBytes: 2, url, remoteAddress: "192.0.2.1" },
      };
    },
  };
  const tool: NetworkTool = {
    ...{ name: "pay", credentialOf: () => "K", needsCredential: false, isPrimitive: false, destination: "author" },
    version: 1,
    template: {
      secretNames: [],
      render: () => ({ method: "POST", url: "https://api.shop.example/pay?amount=1", headers: { "x-mode": "dry" } }),
    },
  };
  const executor = createNetworkExecutor(
    { tool, timeoutMs: 1_000, requestOf: createCallRequests(tool) },
    { integrations: [], credentials: [], webhookUrls: [], secretNames: [] },
    {
      egressOf: () => ({ integration: egress, authored: egress, hasOpenedNetworks: false, isOpened: () => false }),
      secrets: { describe: async () => new Map([["K", secret()]]), open: async () => secret() },
      limits: { admit: async () => undefined, responseBytes: async () => 1_000, creditsPerCall: async () => 0 },
      integrations: { enabled: async () => [] },
      ...{ ports: [443], now: () => 0 },
    },
  );
  const execute = async (approvedHash: string, leakedSecrets: readonly string[] = []) => {
    const { signal } = new AbortController();
    const { answer } = await executor.execute(
      { ...call, leakedSecrets },
      {
        approvedHash,
        deadline: 1_000,
        signal,
        beforeSend: () => undefined,
      },
    );
    return "failure" in answer ? answer.failure.code : "sent";
  };
  return { executor, execute, state, sent };
}

it.each<[string, SecretAuth]>([
  ["over what was shown", { type: "query_param", name: "amount" }],
  ["elsewhere", { type: "header", name: "x-key" }],
  ["as a token", { type: "signed_token", expiresInSeconds: 60 }],
])("an approved request is not sent once its credential goes %s", async (_name, auth) => {
  const { executor, execute, state, sent } = world();
  const { hash } = await executor.render(call);
  state.auth = auth;
  expect(await execute(hash)).toBe("POLICY_DENIED");
  expect(sent).toEqual([]);
});

it("whether a request is the approved one is checked before what its arguments contain", async () => {
  const { executor, execute, state, sent } = world();
  const { hash } = await executor.render(call);
  expect(await execute(hash, ["K"])).toBe("CREDENTIAL_LEAK");
  state.auth = { type: "header", name: "x-key" };
  expect(await execute(hash, ["K"])).toBe("POLICY_DENIED");
  expect(sent).toEqual([]);
});

it("an approved request is sent with a value that was changed meanwhile", async () => {
  const { executor, execute, state, sent } = world();
  const { hash } = await executor.render(call);
  state.value = "another-0123456789";
  expect(await execute(hash)).toBe("sent");
  expect(sent).toHaveLength(1);
});
