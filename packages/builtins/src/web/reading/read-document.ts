import { beginningOf } from "@yagate/lib/text/cut-text";
import { DocumentError, type DocumentErrorReason, type ReadDocument } from "../port.ts";
import { decodeText } from "./charset/decode-text.ts";
import { readCsv } from "./csv/read-csv.ts";
import { detectFormat } from "./detect-format.ts";
import { readFeed } from "./feed/read-feed.ts";
import { readHtml } from "./html/read-html.ts";
import { readPdf } from "./pdf/read-pdf.ts";
import { readJson } from "./read-json.ts";
import { readText } from "./read-text.ts";

/** The input of the worker. */
export interface ReadRequest {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly url: string;
  readonly maxCharacters: number;
}

/** The output of the worker: the document, or the reason why it cannot be read. */
export type ReadReport =
  | { readonly document: ReadDocument }
  | { readonly reason: DocumentErrorReason; readonly message: string };

/** Reads one document in this thread. The calling code must enforce limits on time and memory. */
export async function readDocument(request: ReadRequest): Promise<ReadReport> {
  try {
    return { document: held(await read(request), request.maxCharacters) };
  } catch (error) {
    if (error instanceof DocumentError) return { reason: error.reason, message: error.message };
    throw error;
  }
}

async function read({ body, contentType, url, maxCharacters }: ReadRequest): Promise<ReadDocument> {
  const format = detectFormat(body, contentType, url);
  if (format === "pdf") return readPdf(body, maxCharacters);
  const { text } = decodeText(body, contentType, format === "html" || format === "feed");
  switch (format) {
    case "html":
      return readHtml(text, url);
    case "feed":
      return readFeed(text, url);
    case "csv":
      return readCsv(text, contentType);
    case "json":
      return readJson(text);
    case "text":
      return readText(text);
  }
}

function held(document: ReadDocument, maxCharacters: number): ReadDocument {
  if (document.text.length <= maxCharacters) return document;
  const message = `only the first ${maxCharacters} of ${document.text.length} characters are returned`;
  return {
    ...document,
    text: beginningOf(document.text, maxCharacters),
    warnings: [...document.warnings, { code: "TRUNCATED", message }],
  };
}
