// The files of undici that send requests. Its entry point also loads a second `fetch`, WebSocket, caches and mocks: 87
// more files, which take 30 ms at the start of a process. The version of undici is pinned, and so are these paths.

declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other.
  export default buildConnector;
}

declare module "undici/lib/core/symbols.js" {
  const symbols: {
    /** How long a client's connection may be idle after the latest response, in ms. */
    readonly kKeepAliveTimeoutValue: symbol;
  };
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other.
  export default symbols;
}

declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other.
  export default Agent;
}

declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other.
  export default Client;
}

declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other.
  export default Pool;
}
