import type { IncomingMessage } from "node:http";
import { YagateError } from "@yagate/protocol";
import sjson from "secure-json-parse";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON body of a request; undefined when it has none.
 *
 * @throws YagateError `BODY_TOO_LARGE`, `MALFORMED_JSON`, `INVALID_REQUEST` for another content type.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const body = await readBytes(request, maxBytes);
  if (body.length === 0) return undefined;
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json" && type?.endsWith("+json") !== true) {
    throw new YagateError("INVALID_REQUEST", "expected the header Content-Type: application/json");
  }
  try {
    return sjson.parse(decoder.decode(body), { protoAction: "error", constructorAction: "error" });
  } catch (error) {
    const message = "expected a body of valid JSON in UTF-8, without the keys __proto__ and constructor.prototype";
    throw new YagateError("MALFORMED_JSON", message, { cause: error });
  }
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new YagateError("BODY_TOO_LARGE", `expected a body of at most ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
