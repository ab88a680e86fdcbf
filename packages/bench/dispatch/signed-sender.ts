import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cancellation } from "@yagate/lib/async/cancellation";
import { newId } from "@yagate/lib/ids/ids";
import type { HandlerToolDefinition } from "@yagate/protocol";
import { createEgressGuard, type EgressGuard } from "../../egress/src/guard.ts";
import { parseMasterKeys } from "../../secrets/src/keyring.ts";
import { createSealer } from "../../secrets/src/seal.ts";
import { createSigningSecrets } from "../../secrets/src/signing-secrets.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { createDispatcher } from "../../webhooks/src/dispatcher.ts";
import { createEndpointRegistry } from "../../webhooks/src/endpoints/endpoint-registry.ts";
import type { Message } from "./bare-sender.ts";

const MASTER_KEYS = `k1:${Buffer.alloc(32, 1).toString("base64")}`;

/** What a dispatcher sends through. */
export type SenderEgress = Pick<EgressGuard, "request" | "close">;

/**
 * The gateway's own dispatcher with all its dependencies: the secrets and endpoints of a store, the guard, the record.
 *
 * @param egress - replaces the guard.
 */
export async function createSignedSender(
  handler: string,
  egress: SenderEgress = createEgressGuard({ allowCidrs: ["127.0.0.0/8"] }),
) {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const store = await openSqliteStore({ dataDir });
  const now = Date.now;
  const sealer = createSealer(parseMasterKeys(MASTER_KEYS));
  const signingSecrets = createSigningSecrets({ store: store.signingSecrets, sealer, now, newId });
  const workspaceId = newId("workspace");
  await signingSecrets.rotate(workspaceId, { name: "default", overlapSeconds: 0 });
  const endpoints = createEndpointRegistry({
    store: store.endpoints,
    now,
    newId,
    limits: { concurrency: 64, queue: 1_000 },
  });
  const tool: HandlerToolDefinition = {
    name: "lookup_order",
    description: "Look up an order by its number.",
    parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
    handler,
  };
  const through = (guard: Pick<SenderEgress, "request">) =>
    createDispatcher({ egressOf: () => guard, signingSecrets, endpoints, now }).executorOf({ tool });
  const executor = through(egress);
  const ids = { workspaceId, agentId: newId("agent"), executionId: newId("execution") };
  // The caller has created the id of the call.
  const toolCallIds = Array.from({ length: 1_024 }, () => newId("toolCall"));
  let sent = 0;

  async function attempt({ execute }: typeof executor): Promise<void> {
    const deadline = now() + 10_000;
    sent += 1;
    const toolCallId = toolCallIds[sent % toolCallIds.length] ?? "";
    const { answer } = await execute(
      { ...ids, toolCallId, name: tool.name, parameters: { orderId: "ORD-12345" }, attempt: 1 },
      {
        deadline,
        latestDeadline: deadline + 290_000,
        signal: new Cancellation().signal,
        unsentSignal: new Cancellation().signal,
        beforeSend() {},
        onLateAnswer() {},
      },
    );
    if ("failure" in answer) throw new Error(`expected a result, got ${answer.failure.code}`);
  }

  return {
    send: () => attempt(executor),
    /** What goes over the wire for one call. */
    async capture(): Promise<Message> {
      const messages: Message[] = [];
      const request: typeof egress.request = (options) => {
        const headers = { ...options.headers, "accept-encoding": "identity" };
        messages.push({ headers, text: new TextDecoder().decode(options.body) });
        return egress.request(options);
      };
      await attempt(through({ request }));
      const [message] = messages;
      if (message === undefined) throw new Error("expected a call");
      return message;
    },
    async close(): Promise<void> {
      await egress.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
