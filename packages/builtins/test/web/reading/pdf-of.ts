/** An object of a PDF: as it is written, or a stream. */
export type PdfObject = string | { readonly dictionary: string; readonly bytes: Uint8Array };

/** A PDF whose objects from number 3 on are given; a first one that is a tree of pages stands for the usual tree. */
export function pdfOf(given: readonly PdfObject[], count = 1, trailer = ""): Uint8Array {
  const [first] = given;
  const hasTree = typeof first === "string" && first.includes("/Type /Pages");
  const tree = hasTree ? [] : [`<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`];
  const objects: PdfObject[] = ["<< /Type /Catalog /Pages 2 0 R >>", ...tree, ...given];
  const chunks: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = chunks[0]?.length ?? 0;
  const push = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    push(Buffer.from(`${at + 1} 0 obj\n`));
    if (typeof object === "string") push(Buffer.from(object));
    else {
      push(Buffer.from(`<< /Length ${object.bytes.length} ${object.dictionary} >>\nstream\n`));
      push(Buffer.from(object.bytes));
      push(Buffer.from("\nendstream"));
    }
    push(Buffer.from("\nendobj\n"));
  }
  const start = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`));
  push(Buffer.from(`trailer << /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(chunks);
}
