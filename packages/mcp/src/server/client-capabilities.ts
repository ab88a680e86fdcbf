import type { ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Returns the capabilities that a client declares with a request. Clients of older revisions declare none there. */
export function clientCapabilities({ mcpReq }: ServerContext): JsonObject {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const capabilities = envelope[CAPABILITIES];
  return isJsonObject(capabilities) ? capabilities : {};
}
