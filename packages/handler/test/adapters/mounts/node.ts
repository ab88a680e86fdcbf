import { toNodeListener } from "../../../src/node.ts";
import type { Adapter } from "../adapter.ts";
import { mountServer } from "../mount-server.ts";

export const nodeAdapters: readonly Adapter[] = [
  { name: "node:http", mount: (handler) => mountServer(toNodeListener(handler)) },
];
