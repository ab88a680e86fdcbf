import { createAgentSchema, hasEnded } from "@yagate/protocol";
import { composeGateway } from "../gateway/src/compose/compose-gateway.ts";
import { completeConfig, type GatewayConfig } from "../gateway/src/config/gateway-config.ts";
import { UNLIMITED_PLANS } from "./unlimited-plans.ts";

/** The request of every benchmark of executions: two model turns and one call. */
export const EXECUTION_REQUEST = {
  input: "Where is order ORD-12345?",
  script: {
    turns: [
      { toolCalls: [{ name: "lookup_order", parameters: { orderId: "ORD-12345" } }] },
      { text: "It is shipped." },
    ],
  },
};

/** An agent whose only tool is a webhook. */
export const benchAgent = (webhookUrl: string) => ({
  name: "bench",
  model: "scripted/turns",
  systemPrompt: "You answer questions about orders.",
  tools: [
    {
      name: "lookup_order",
      description: "Look up an order by its number.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: webhookUrl,
      sideEffect: "read_only",
    },
  ],
});

/** A gateway in this process, with an agent whose only tool is a webhook on this machine. */
export async function openBenchGateway(
  config: GatewayConfig,
  webhookUrl: string,
  openStore?: Parameters<typeof composeGateway>[1],
) {
  const composed = await composeGateway(
    completeConfig({ plans: UNLIMITED_PLANS, ...config, allowCidrs: ["127.0.0.0/8"] }),
    openStore,
  );
  const workspaceId = composed.defaultWorkspaceId;
  const agent = await composed.agentWriter.create(workspaceId, createAgentSchema.parse(benchAgent(webhookUrl)));

  return {
    composed,
    workspaceId,
    /** Runs one execution to its end, with every step stored before it is taken. @returns its id. */
    async execute(): Promise<string> {
      const start = { workspaceId, keyId: null, keyRouting: undefined, agent, request: EXECUTION_REQUEST };
      const execution = await composed.executions.startAndWait(start, 30_000, new AbortController().signal);
      if (!hasEnded(execution.status) || execution.output?.text !== "It is shipped.") {
        throw new Error(`unexpected end: ${execution.status} ${execution.output?.text ?? execution.error?.message}`);
      }
      return execution.id;
    },
    close: () => composed.close(),
  };
}
