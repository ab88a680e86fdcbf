import { type ContentWarning, DocumentError, type ReadDocument } from "../../port.ts";
import { cleanText, invisibleWarnings } from "../clean-text.ts";
import { toLine } from "../html/read-metadata.ts";
import { toLanguageTag } from "../language-tag.ts";
import { allowPage, boundAllocations, checkAllocations } from "./bound-allocations.ts";
import { readPageText } from "./page-text.ts";
import { toPdfDate } from "./pdf-date.ts";

const MAX_PAGES = 500;

/**
 * Reads a PDF page by page. A mark such as `[page 2]` precedes each page.
 *
 * @param maxCharacters - once the text has this length, no further page is read.
 * @throws DocumentError `unreadable` for an encrypted or damaged file, `limit` for a file that unpacks to too much
 *   data.
 */
export async function readPdf(body: Uint8Array, maxCharacters: number): Promise<ReadDocument> {
  boundAllocations();
  const { getDocumentProxy } = await import("unpdf");
  // The library takes ownership of the bytes.
  const pdf = await getDocumentProxy(body.slice(), {
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  }).catch((error: unknown) => {
    throw toDocumentError(error);
  });
  try {
    const pages: string[] = [];
    const warnings: ContentWarning[] = [];
    let characters = 0;
    let unreadable = 0;
    const last = Math.min(pdf.numPages, MAX_PAGES);
    for (let number = 1; number <= last && characters <= maxCharacters; number += 1) {
      allowPage();
      const text = await readPageText(pdf, number);
      checkAllocations();
      if (text === undefined) unreadable += 1;
      const page = `[page ${number}]\n\n${text ?? ""}`.trimEnd();
      characters += page.length + 2;
      pages.push(page);
    }
    const { text, invisible } = cleanText(pages.join("\n\n"));
    warnings.push(...invisibleWarnings(invisible));
    if (unreadable > 0) warnings.push({ code: "PAGES_UNREADABLE", message: `${unreadable} pages can't be read` });
    if (pages.length < pdf.numPages) {
      const message = `only the first ${pages.length} of ${pdf.numPages} pages were read`;
      warnings.push({ code: "PAGES_CUT", message });
    }
    if (!/[\p{L}\p{N}]/u.test(text.replace(/\[page \d+\]/g, ""))) {
      warnings.push({ code: "NO_CONTENT", message: "the pages contain no text; they may be images" });
    }
    return { format: "pdf", text, ...(await factsOf(pdf)), pageCount: pdf.numPages, links: [], warnings };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type Pdf = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

async function factsOf(pdf: Pdf): Promise<Partial<ReadDocument>> {
  const metadata = await pdf.getMetadata().catch(() => undefined);
  const info = new Map<string, unknown>(Object.entries(metadata?.info ?? {}));
  const textOf = (key: string) => {
    const value = info.get(key);
    return typeof value === "string" ? value : undefined;
  };
  const facts = {
    title: toLine(textOf("Title")),
    byline: toLine(textOf("Author")),
    description: toLine(textOf("Subject")),
    publishedAt: toPdfDate(textOf("CreationDate")),
    modifiedAt: toPdfDate(textOf("ModDate")),
    language: toLanguageTag(textOf("Language")),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function toDocumentError(error: unknown): unknown {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return new DocumentError("unreadable", "the PDF is encrypted: it needs a password", { cause: error });
  }
  if (error instanceof DocumentError) return error;
  return new DocumentError("unreadable", "the PDF is damaged: it can't be opened", { cause: error });
}
