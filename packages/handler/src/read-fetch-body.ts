import { YagateError } from "@yagate/protocol/calls";
import { assertSize } from "./open-call.ts";

/**
 * Reads the body of a Fetch request, up to a limit.
 *
 * @throws {@link YagateError} `BODY_ALREADY_PARSED`; `BODY_TOO_LARGE`; `PAYLOAD_INVALID` if the client disconnected.
 */
export async function readFetchBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) {
    throw new YagateError(
      "BODY_ALREADY_PARSED",
      "the request's body was already read: pass the request to the handler first, or pass request.clone()",
    );
  }
  assertSize(Number(request.headers.get("content-length")), maxBodyBytes);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await read(reader);
    if (done) return concat(chunks, size);
    chunks.push(value);
    size += value.byteLength;
    if (size > maxBodyBytes) {
      // The server decides whether to cancel the rest of the request.
      reader.cancel().catch(() => {});
      assertSize(size, maxBodyBytes);
    }
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch {
    throw new YagateError("PAYLOAD_INVALID", "the client closed the connection before the body was complete");
  }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
