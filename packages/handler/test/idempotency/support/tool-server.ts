/**
 * A service with one tool as a process of its own, over a store that others share: tells its parent when a request has
 * arrived and when the tool runs, and lets the tool end when the parent says so.
 */
import { once } from "node:events";
import http from "node:http";
import { createHandler, defineTool } from "../../../src/index.ts";
import { toNodeListener } from "../../../src/node.ts";
import { SECRET } from "../../support/calls.ts";
import { createGate } from "../../support/gate.ts";
import { openStore } from "./open-store.ts";
import { storePlaceSchema, type ToolServerEvent } from "./tool-server-events.ts";

const tell = (event: ToolServerEvent) => process.send?.(event);

const place = storePlaceSchema.parse(JSON.parse(process.argv[2] ?? ""));
const { store } = await openStore(place);
const gate = createGate();
process.on("message", () => gate.open());
process.on("disconnect", () => process.exit());

const tool = defineTool({
  name: "lookup_order",
  description: "Looks up an order.",
  parameters: { type: "object" },
  async execute(_parameters, { toolCallId, callback, defer }) {
    tell({ event: "ran", toolCallId });
    if (callback !== undefined) return defer();
    await gate.opened;
    return { pid: process.pid };
  },
});

const listener = toNodeListener(createHandler({ secrets: SECRET, tools: [tool], idempotency: store }));
const server = http.createServer((request, response) => {
  tell({ event: "arrived" });
  listener(request, response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address !== null && typeof address !== "string") tell({ event: "listening", port: address.port });
