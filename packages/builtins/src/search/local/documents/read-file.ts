import { basename } from "node:path/posix";
import { defined } from "@yagate/lib/objects/defined";
import type { DocumentReader } from "../../../web/port.ts";
import { decodeText } from "./decode-text.ts";
import { type FileKind, type FileReading, fileKindOf, type LocalDocument } from "./document-file.ts";
import { documentUrl } from "./document-url.ts";
import { type FrontMatter, readFrontMatter, toIsoDate } from "./front-matter.ts";
import { firstHeading } from "./passages.ts";

/** Reads HTML, PDF, JSON and CSV files. If it is absent, files in these formats are skipped. */
export type ReadDocumentFile = Pick<DocumentReader, "read">;

const MAX_TITLE_CHARACTERS = 300;

/** Converts a file's bytes to a document. */
export async function readFileAsDocument(
  path: string,
  bytes: Uint8Array,
  reader: ReadDocumentFile | undefined,
): Promise<FileReading> {
  const kind = fileKindOf(path);
  if (kind === undefined) return { skipped: "unreadable" };
  if (kind.read === "document") return readWith(reader, path, bytes, kind);
  const text = decodeText(bytes);
  if (text === undefined) return { skipped: "binary" };
  const { matter, body } = kind.read === "markdown" ? readFrontMatter(text) : { matter: {}, body: text };
  const heading = kind.read === "markdown" ? firstHeading(body) : undefined;
  return documentOf(path, body, matter, heading);
}

async function readWith(
  reader: ReadDocumentFile | undefined,
  path: string,
  bytes: Uint8Array,
  kind: Extract<FileKind, { read: "document" }>,
): Promise<FileReading> {
  if (reader === undefined) return { skipped: "unreadable" };
  const url = documentUrl(path);
  const read = await reader.read({ body: bytes, contentType: kind.contentType, url });
  const publishedAt = toIsoDate(read.publishedAt) ?? toIsoDate(read.publishedAt?.slice(0, 10));
  const canonical = read.canonicalUrl;
  const isWeb = canonical !== undefined && /^https?:/i.test(canonical) && URL.canParse(canonical);
  const matter: FrontMatter = {
    ...defined({ title: read.title }),
    ...(isWeb ? { url: canonical } : {}),
    ...defined({ publishedAt, language: read.language, siteName: read.siteName }),
  };
  return documentOf(path, read.text, matter, read.format === "html" ? firstHeading(read.text) : undefined);
}

function documentOf(path: string, text: string, matter: FrontMatter, heading: string | undefined): FileReading {
  if (text.trim() === "") return { skipped: "empty" };
  const { title = heading ?? titleOf(path), url = documentUrl(path), ...rest } = matter;
  const document: LocalDocument = { ...rest, title: title.slice(0, MAX_TITLE_CHARACTERS), url, text };
  return { document };
}

/**
 * Derives a title from the path: `how-to_refund.md` becomes "how to refund"; an index page takes the name of its
 * folder.
 */
function titleOf(path: string): string {
  const name = basename(path).replace(/\.[^.]+$/, "");
  const named = /^(?:index|readme)$/i.test(name) && path.includes("/") ? (path.split("/").at(-2) ?? name) : name;
  return named.replace(/[-_]+/g, " ").trim() || named;
}
