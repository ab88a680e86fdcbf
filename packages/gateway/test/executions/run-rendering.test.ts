import type { JsonObject } from "@yagate/protocol";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { expect, it, onTestFinished } from "vitest";
import { createEgressGuard } from "../../../egress/src/guard.ts";
import type { OpenedSecret } from "../../../secrets/src/workspace-secrets.ts";
import { type HandlerServer, send, startHandler, startReplier } from "../../../webhooks/test/support/handler-server.ts";
import { createCommands } from "../../src/executions/service/commands.ts";
import { toRequestTool } from "../../src/tools/http/network-executor.ts";
import type { NetworkTool } from "../../src/tools/http/network-tool.ts";
import type { NetworkServices } from "../../src/tools/http/services.ts";
import type { Tool } from "../../src/tools/port.ts";
import { type RequestedCall, refusalOf } from "../../src/tools/toolset/refusal.ts";
import type { CreateToolset } from "../../src/tools/toolset/toolset.ts";
import { openRunWorld, toolAt, WORKSPACE } from "./run-world.ts";

const nothing = () => {};
const AGENT = { integrations: [], credentials: [], webhookUrls: [], secretNames: [] };
const SECRET: OpenedSecret = {
  ...{ value: "planted-0123456789", texts: ["planted-0123456789"], auth: { type: "bearer" } },
  ...{ hosts: ["127.0.0.1"], isUnbound: false },
};

function servicesOverLoopback(): NetworkServices {
  const guard = createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any" });
  onTestFinished(() => guard.close());
  return {
    egressOf: () => ({ integration: guard, authored: guard, hasOpenedNetworks: true, isOpened: () => true }),
    secrets: { describe: async () => new Map([["K", { ...SECRET, updatedAt: 0 }]]), open: async () => SECRET },
    limits: { admit: async () => undefined, responseBytes: async () => 1_000, creditsPerCall: async () => 0 },
    integrations: { enabled: async () => [] },
    ...{ ports: [443], now: Date.now },
  };
}

/** A run whose one call is a request that counts how often its template is rendered. */
async function startRun(service: HandlerServer, approval: "always" | "never", retries: number) {
  let renders = 0;
  const request: NetworkTool = {
    ...{ name: "act", credentialOf: () => "K", needsCredential: true, isPrimitive: false, destination: "author" },
    version: 1,
    template: {
      secretNames: [],
      render(parameters: JsonObject) {
        renders += 1;
        return { method: "POST", url: service.url, headers: {}, body: parameters };
      },
    },
  };
  const described = {
    description: "Acts.",
    parameters: { type: "object" },
    sideEffect: "idempotent_write",
    approval,
  } as const;
  const policy = { network: true, approval: "destructive" } as const;
  const owner = { policy, agent: AGENT, services: servicesOverLoopback() };
  const tool = await toRequestTool(request, { ...described, options: { retries } }, owner);
  const world = await openRunWorld({ wrapToolset: (create) => withTool(create, tool) });
  const parameters = { orderId: "ORD-1", lines: [1, 2, 3] };
  const turns = [{ toolCalls: [{ name: "act", parameters }] }, { text: "It is done." }];
  const execution = await world.create([toolAt(service.url)], turns);
  await world.start(execution, false, nothing).done;
  return { world, execution, parameters, renders: () => renders };
}

function withTool(create: CreateToolset, tool: Tool): CreateToolset {
  const validator = createArgumentValidator();
  const tools = new Map([[tool.name, tool]]);
  return async (agent) => {
    const { openMask: _openMask, ...rest } = await create(agent);
    const own = { ...rest, tools, refusalOf: (call: RequestedCall) => refusalOf(call, tools, validator) };
    return { ...own, withArtifacts: { ...own, withArtifacts: own.withArtifacts } };
  };
}

it("the request of a call is rendered once, for its checks, its record and the wire", async () => {
  const service = await startReplier({ body: { ok: true } });
  const { renders, parameters } = await startRun(service, "never", 0);
  expect(JSON.parse(String(service.calls[0]?.body))).toEqual(parameters);
  expect(service.calls).toHaveLength(1);
  expect(renders()).toBe(1);
});

it("all attempts of a call send the same rendering", async () => {
  const service = await startHandler((response) => send(response, { status: 503, headers: { "retry-after": "0" } }));
  const { renders } = await startRun(service, "never", 2);
  expect(service.calls).toHaveLength(3);
  expect(renders()).toBe(1);
});

it("an approval request renders once, and the run that resumes after the decision once more", async () => {
  const service = await startReplier({ body: { ok: true } });
  const { world, execution, parameters, renders } = await startRun(service, "always", 0);
  expect(renders()).toBe(1);
  const { data: approvals } = await world.store.approvals.list(WORKSPACE, { limit: 10 });
  expect(approvals[0]?.details.request?.body).toBe(JSON.stringify(parameters));
  const commands = createCommands({ eventStore: world.eventStore, now: Date.now });
  const by = { keyId: null, isSelfApproval: true };
  await commands.apply(execution.id, { type: "approve", approvalId: approvals[0]?.id ?? "", by });
  const due = await world.claimDue();
  if (due === undefined) throw new Error("expected an execution that is due");
  await world.start(due, false, nothing).done;
  expect(service.calls).toHaveLength(1);
  expect(renders()).toBe(2);
});
