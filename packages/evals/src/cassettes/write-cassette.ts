import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { YagateError } from "@yagate/protocol";
import type { Cassette } from "./cassette.ts";
import { findSecret } from "./find-secret.ts";

/**
 * Writes a cassette, unless it contains what looks like a secret.
 *
 * @throws YagateError `SECRET_IN_CASSETTE` with the path of the value. In that case, nothing is written.
 */
export async function writeCassette(path: string, cassette: Cassette): Promise<void> {
  const place = findSecret(cassette);
  if (place !== undefined) {
    throw new YagateError("SECRET_IN_CASSETTE", `${place === "" ? "a field" : place} looks like a secret`);
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(cassette, null, 2)}\n`);
}
