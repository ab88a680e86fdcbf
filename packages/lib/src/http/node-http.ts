/**
 * Node's `node:http`. Importing it reads all of its exports, some of which load Node's `fetch` and `WebSocket`: 20 ms at
 * the start of a process. This way of loading reads only the exports that are used.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
