import * as z from "zod";

/** Where any process can continue reading the response to an MCP tool call after its stream broke. */
export const resumptionSchema = z.looseObject({
  /** The session at the server, `Mcp-Session-Id`. */
  sessionId: z.string(),
  /** The revision that the session uses, `MCP-Protocol-Version`. */
  protocolVersion: z.string(),
  /** The last event that was read, `Last-Event-ID`. */
  eventId: z.string(),
});
export type Resumption = z.infer<typeof resumptionSchema>;
