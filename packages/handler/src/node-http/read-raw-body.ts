import type { IncomingMessage } from "node:http";
import { YagateError } from "@yagate/protocol/calls";
import { isBytes } from "../is-bytes.ts";
import { readNodeBody } from "./read-node-body.ts";

/** What body parsers leave on a request: the parsed body, and sometimes the original bytes. */
export interface ParsedBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Returns the exact bytes that a body parser kept. If no parser has run, reads the bytes from the request.
 *
 * @param advice - how to mount the handler so that the bytes stay unchanged.
 * @throws {@link YagateError} `BODY_ALREADY_PARSED`, and the errors of {@link readNodeBody}.
 */
export function readRawBody(
  request: IncomingMessage,
  { body, rawBody }: ParsedBody,
  maxBodyBytes: number,
  advice: string,
): Uint8Array | Promise<Uint8Array> {
  if (isBytes(body)) return body;
  if (isBytes(rawBody)) return rawBody;
  // A check for a missing body would not work: a parser that skipped the request may have left an empty object.
  if (!request.readableDidRead) return readNodeBody(request, maxBodyBytes);
  throw new YagateError(
    "BODY_ALREADY_PARSED",
    `a body parser ran before the tool handler, and the signature covers the exact bytes: ${advice}`,
  );
}
