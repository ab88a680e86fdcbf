import { defined } from "@yagate/lib/objects/defined";
import type { McpCallResult } from "@yagate/mcp/client/port";
import type { JsonObject, JsonValue } from "@yagate/protocol";

/**
 * Returns the result of a call as the model reads it: the structured content or the text alone, or an object that also
 * contains files and links. The content of files comes last, so that the preview of a long result shows everything else.
 */
export function resultOf({
  value,
  attachments,
  links,
}: Pick<McpCallResult, "value" | "attachments" | "links">): JsonValue {
  if (attachments.length === 0 && links.length === 0) return value;
  return {
    content: value,
    ...(links.length === 0 ? {} : { links: links.map(({ name, uri }) => ({ name, uri })) }),
    ...(attachments.length === 0
      ? {}
      : {
          attachments: attachments.map(
            ({ mediaType, data, uri }): JsonObject => ({
              mediaType,
              ...defined({ uri }),
              bytes: Buffer.byteLength(data, "base64"),
              data,
            }),
          ),
        }),
  };
}
