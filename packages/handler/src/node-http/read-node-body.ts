import type { IncomingMessage } from "node:http";
import { YagateError } from "@yagate/protocol/calls";
import { assertSize } from "../open-call.ts";

/**
 * How much of a rejected body to read, as a multiple of the limit: a client that is still sending would not receive the
 * response.
 */
const DISCARDED_LIMITS = 8;

/**
 * Reads the body of a Node request, up to a limit.
 *
 * @throws {@link YagateError} `BODY_TOO_LARGE`; `BODY_ALREADY_PARSED` if an encoding is set on the request, so that it
 *   returns text; `PAYLOAD_INVALID` if the client disconnected.
 */
export function readNodeBody(request: IncomingMessage, maxBodyBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer | string) => {
      if (typeof chunk === "string") return reject(decoded());
      size += chunk.byteLength;
      if (size > DISCARDED_LIMITS * maxBodyBytes) request.destroy();
      if (size <= maxBodyBytes) chunks.push(chunk);
      else rejectOversize(size, maxBodyBytes, reject);
    });
    const onClose = () => reject(gone());
    request.on("error", onClose);
    request.on("close", onClose);
    request.on("end", () => {
      // The error is created only on failure, because creating it costs more than reading a body.
      request.off("close", onClose);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    rejectOversize(Number(request.headers["content-length"] ?? 0), maxBodyBytes, reject);
    // A client that left earlier has had its close event.
    if (request.destroyed && !request.readableEnded) reject(gone());
  });
}

function rejectOversize(bytes: number, maxBodyBytes: number, reject: (error: unknown) => void): void {
  try {
    assertSize(bytes, maxBodyBytes);
  } catch (error) {
    reject(error);
  }
}

function decoded(): YagateError {
  return new YagateError(
    "BODY_ALREADY_PARSED",
    "an encoding is set on the request: do not call setEncoding, so that its body stays bytes",
  );
}

function gone(): YagateError {
  return new YagateError("PAYLOAD_INVALID", "the client closed the connection before the body was complete");
}
