import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { hasEnded } from "@yagate/protocol";
import { completeConfig } from "../../../packages/gateway/src/config/gateway-config.ts";
import { openRooms } from "../../../packages/gateway/src/gateway.ts";
import { measure } from "./measure.ts";

const [url, signingSecret, traced] = process.argv.slice(2);
if (url === undefined || signingSecret === undefined) throw new Error("expected the webhook's URL and a secret");

const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
// Spans as with a collector, but for sending them: what that costs is the exporter's.
const exporter = {
  export: (_spans: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
  shutdown: async () => {},
};
const tracing =
  traced === "traced"
    ? { tracerProvider: new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] }) }
    : {};
const rooms = await openRooms(completeConfig({ dataDir, signingSecret, allowCidrs: ["127.0.0.0/8"], ...tracing }));
const workspaceId = rooms.defaultWorkspaceId;
const agent = await rooms.agentWriter.create(workspaceId, {
  name: "bench",
  model: "scripted/turns",
  systemPrompt: "You answer questions about orders.",
  tools: [
    {
      name: "lookup_order",
      description: "Look up an order by its number.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: url,
      sideEffect: "read_only",
    },
  ],
});

const request = {
  input: "Where is order ORD-12345?",
  script: {
    turns: [
      { toolCalls: [{ name: "lookup_order", parameters: { orderId: "ORD-12345" } }] },
      { text: "It is shipped." },
    ],
  },
};

/** The same work as the peer's, with every step in the journal before it is taken. */
async function execute(): Promise<void> {
  const start = { workspaceId, keyId: null, agent, request };
  const execution = await rooms.executions.startAndWait(start, 30_000, new AbortController().signal);
  if (!hasEnded(execution.status) || execution.output?.text !== "It is shipped.") {
    throw new Error(`unexpected end: ${execution.status} ${execution.output?.text ?? execution.error?.message}`);
  }
}

process.send?.(await measure(execute));
await rooms.close();
await rm(dataDir, { recursive: true, force: true });
process.disconnect();
