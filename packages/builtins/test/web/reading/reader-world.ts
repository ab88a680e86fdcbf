import { afterAll } from "vitest";
import { DocumentError, type ReadDocument } from "../../../src/web/port.ts";
import { createDocumentReader, type DocumentReaderOptions } from "../../../src/web/reading/document-reader.ts";

const URL_OF_PAGE = "https://site.example/folder/page";

/** A document as a test gives it; text is written as UTF-8. */
export interface Given {
  readonly body: string | Uint8Array;
  readonly contentType?: string | undefined;
  readonly url?: string | undefined;
}

/** One reader for all tests of a file: its worker starts once, for which a busy machine needs long. */
export function openReader(options: DocumentReaderOptions = {}) {
  const reader = createDocumentReader({ timeoutMs: 50_000, ...options });
  afterAll(() => reader.close());

  async function read({ body, contentType, url = URL_OF_PAGE }: Given): Promise<ReadDocument> {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return await reader.read({ body: bytes, contentType, url });
  }

  return {
    reader,
    read,
    /** What a page says. */
    page: (html: string) => read({ body: html, contentType: "text/html; charset=utf-8" }),
    /** What a document says, or why it can't be read. */
    outcome: async (given: Given): Promise<ReadDocument | DocumentError> => {
      try {
        return await read(given);
      } catch (error) {
        if (error instanceof DocumentError) return error;
        throw error;
      }
    },
  };
}
