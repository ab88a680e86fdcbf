import { createSuiteHandler } from "../../packages/handler/test/adapters/suite-handler.ts";

/** The same module is a server in Bun, Deno and Workers: a handler is the `fetch` that they ask for. */
// biome-ignore lint/style/noDefaultExport: this is where they look for it
export default { hostname: "127.0.0.1", fetch: createSuiteHandler() };
