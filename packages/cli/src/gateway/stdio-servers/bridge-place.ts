import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import * as z from "zod";

const FILE = "stdio-bridge.json";
const TOKEN_BYTES = 32;

const placeSchema = z.object({
  /** 0: any free port. */
  port: z.int().min(0).max(65_535),
  token: z.string().min(TOKEN_BYTES),
});

/** The port and the token of a bridge, which stay the same across restarts so that the URLs of its sources do too. */
export type BridgePlace = z.output<typeof placeSchema>;

/** Returns the file in which the place is stored. */
export function placeFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/** Reads the stored place; undefined if the data directory contains none that can be used. */
export async function readPlace(dataDir: string): Promise<BridgePlace | undefined> {
  const text = await readFile(placeFile(dataDir), "utf8").catch(() => undefined);
  return placeSchema.safeParse(parseJsonOrUndefined(text)).data;
}

/** Returns a place that is not stored yet. */
export function newPlace(): BridgePlace {
  return { port: 0, token: randomBytes(TOKEN_BYTES).toString("base64url") };
}

/** Stores a place with mode 0600. */
export async function writePlace(dataDir: string, place: BridgePlace): Promise<void> {
  const file = placeFile(dataDir);
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, JSON.stringify(place), { mode: 0o600 });
  await rename(partial, file);
}

/** Deletes the stored place. */
export async function deletePlace(dataDir: string): Promise<void> {
  await rm(placeFile(dataDir), { force: true });
}
