import type { CallToolResult } from "@modelcontextprotocol/client";
import { defined } from "@yagate/lib/objects/defined";
import type { JsonValue } from "@yagate/protocol";
import type { McpAttachment, McpCallResult } from "./port.ts";

const DEFAULT_MEDIA_TYPE = "application/octet-stream";

/** Separates what a model reads from files and links. */
export function toCallResult(result: CallToolResult): Omit<McpCallResult, "verdict"> {
  const texts: string[] = [];
  const attachments: McpAttachment[] = [];
  const links: { readonly uri: string; readonly name: string }[] = [];
  for (const block of result.content) {
    if (block.type === "text") texts.push(block.text);
    else if (block.type === "resource_link") links.push({ uri: block.uri, name: block.name });
    else if (block.type !== "resource") attachments.push({ mediaType: block.mimeType, data: block.data });
    else if ("text" in block.resource) texts.push(block.resource.text);
    else attachments.push(toAttachment(block.resource));
  }
  const structured = result.structuredContent;
  // The result was parsed from JSON.
  const value = structured === undefined ? texts.join("\n") : (structured as JsonValue);
  return {
    isError: result.isError === true,
    value,
    isStructured: structured !== undefined,
    ...{ attachments, links },
  };
}

function toAttachment({
  uri,
  mimeType,
  blob,
}: {
  uri: string;
  mimeType?: string | undefined;
  blob: string;
}): McpAttachment {
  return { mediaType: mimeType ?? DEFAULT_MEDIA_TYPE, data: blob, ...defined({ uri }) };
}
