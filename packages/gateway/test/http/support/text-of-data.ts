import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns everything that a gateway has stored, to show that a text is not in it. */
export async function textOfData({ dataDir }: { readonly dataDir: string }): Promise<string> {
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "latin1")),
  );
  return texts.join("");
}
