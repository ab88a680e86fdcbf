import type { ServerResponse } from "node:http";
import { type HttpServer, sendJson, startHttpServer } from "./http-server.ts";

type Respond = (response: ServerResponse, request: { readonly id: unknown; readonly params: unknown }) => unknown;

/**
 * Starts a server of the revision 2026-07-28 that discovers well, and answers lists and calls by hand.
 */
export function startHostileServer(answers: { readonly list?: Respond; readonly call?: Respond }): Promise<HttpServer> {
  return startHttpServer(({ body }, response) => {
    const { id, method, params } = JSON.parse(body);
    if (method === "tools/list" && answers.list !== undefined) return answers.list(response, { id, params });
    if (method === "tools/call" && answers.call !== undefined) return answers.call(response, { id, params });
    return sendJson(response, { jsonrpc: "2.0", id, result: discovered });
  });
}

/** What a server of the revision 2026-07-28 says about itself. */
export const discovered = {
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  serverInfo: { name: "hostile", version: "1" },
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
};

/** Responds with a result of the revision 2026-07-28. */
export function sendResult(response: ServerResponse, id: unknown, result: object): void {
  sendJson(response, {
    jsonrpc: "2.0",
    id,
    result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result },
  });
}
