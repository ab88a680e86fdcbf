import type { getDocumentProxy } from "unpdf";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A gap of more than this many line heights starts a new paragraph. */
const PARAGRAPH = 1.6;

/** Returns the text of a page in painting order, with its lines and paragraphs; `undefined` for a damaged page. */
export async function readPageText(pdf: Pdf, number: number): Promise<string | undefined> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = layOut(items.flatMap(pieceOf));
    page.cleanup();
    return text;
  } catch (error) {
    // The worker pool reports a stack overflow with a better message.
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

interface Piece {
  readonly text: string;
  readonly y: number;
  readonly height: number;
  readonly endsLine: boolean;
}

function pieceOf(item: object): Piece[] {
  if (!("str" in item) || typeof item.str !== "string") return [];
  const transform: unknown = "transform" in item ? item.transform : undefined;
  const y: unknown = Array.isArray(transform) ? transform[5] : undefined;
  const height = "height" in item && typeof item.height === "number" ? item.height : 0;
  const endsLine = "hasEOL" in item && item.hasEOL === true;
  return [{ text: item.str, y: typeof y === "number" ? y : 0, height, endsLine }];
}

function layOut(pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let last: Piece | undefined;
  for (const piece of pieces) {
    if (piece.text !== "" && last !== undefined) {
      const gap = Math.abs(last.y - piece.y);
      const height = Math.max(last.height, piece.height, 1);
      if (last.endsLine || gap > height * PARAGRAPH) {
        parts.push(gap > height * PARAGRAPH || piece.y > last.y + height ? "\n\n" : "\n");
      }
    }
    if (piece.text === "") {
      if (last !== undefined && piece.endsLine) last = { ...last, endsLine: true };
      continue;
    }
    parts.push(piece.text);
    last = piece;
  }
  return parts
    .join("")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
