import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";
import { isGuarded, waysOut } from "./rules/ways-out.ts";

const SOURCE = "packages/gateway/src/tools/http/send.ts";

// Reading every source takes longer on a busy machine.
it("the gateway has one way out, the egress package", { timeout: 60_000 }, () => {
  const sources = repositoryFiles().filter((path) => isGuarded(path) && path.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap((path) =>
    waysOut(path, readFileSync(join(repositoryRoot, path), "utf8")).map((way) => `${path}: ${way}`),
  );
  expect(found).toEqual([]);
});

/** Sources that open another way out, and who finds it: the test above, the linter, or both. */
const OPENING: readonly (readonly [text: string, finders: "both" | "linter" | "test"])[] = [
  ['import { request } from "undici"; export const a = request;', "both"],
  ['export { Agent } from "undici";', "both"],
  ['const a = await import("undici"); export { a };', "both"],
  ['export const a = require("undici");', "both"],
  ['import { request } from "node:http"; export const a = request;', "both"],
  ['import { get as a } from "node:http"; export { a };', "both"],
  ['import { Agent } from "node:http"; export const a = new Agent();', "both"],
  ['import a from "node:http"; export { a };', "both"],
  ['import * as a from "node:http"; export { a };', "both"],
  ['import { request } from "http"; export const a = request;', "both"],
  ['import { request } from "node:https"; export const a = request;', "both"],
  ['import { connect } from "node:http2"; export const a = connect;', "both"],
  ['import { connect } from "node:net"; export const a = connect;', "both"],
  ['import { createConnection } from "net"; export const a = createConnection;', "both"],
  ['import { Socket } from "node:net"; export const a = new Socket();', "test"],
  ['import { connect } from "node:tls"; export const a = connect;', "both"],
  ['import { createSocket } from "node:dgram"; export const a = createSocket;', "both"],
  ['import { lookup } from "node:dns"; export const a = lookup;', "both"],
  ['import { resolve4 } from "node:dns/promises"; export const a = resolve4;', "both"],
  ['import { execFile } from "node:child_process"; export const a = execFile;', "both"],
  ['import { createRemoteJWKSet } from "jose"; export const a = createRemoteJWKSet;', "both"],
  ['import * as a from "jose"; export { a };', "test"],
  ['import { Client } from "pg"; export const a = Client;', "test"],
  ['import Client from "undici/lib/dispatcher/client.js"; export const a = Client;', "test"],
  ['export const a = process.getBuiltinModule("node:http");', "test"],
  ['export const { createServer, request: a } = process.getBuiltinModule("node:http");', "test"],
  ['export const { createServer, ...a } = process.getBuiltinModule("node:http");', "test"],
  ['export const a = await fetch("https://example.com/");', "linter"],
  ["const a = fetch; export { a };", "linter"],
  ['export const a = globalThis.fetch("https://example.com/");', "test"],
  ['export const a = new WebSocket("wss://example.com/");', "linter"],
  ['export const a = new globalThis.WebSocket("wss://example.com/");', "test"],
  ['export const a = new EventSource("https://example.com/");', "linter"],
];

/** Sources that open none. */
const CLOSED: readonly string[] = [
  'import type { ClientConfig } from "pg"; export type A = ClientConfig;',
  'import { createServer, type IncomingMessage } from "node:http"; export const a = (_: IncomingMessage) => createServer;',
  'export const { createServer, STATUS_CODES: a } = process.getBuiltinModule("node:http");',
  'import { isIP, type Socket } from "node:net"; export const a = (_: Socket) => isIP;',
  "export const a = (fetch: typeof globalThis.fetch) => fetch('https://example.com/');",
  'import { CompactSign } from "jose"; export const a = CompactSign;',
];

describe("the search for ways out", () => {
  it.each(OPENING.filter(([, finders]) => finders !== "linter"))("finds %s", (text) => {
    expect(waysOut(SOURCE, text)).toHaveLength(1);
  });

  it.each(CLOSED)("finds none in %s", (text) => {
    expect(waysOut(SOURCE, text)).toEqual([]);
  });

  it.each<[string, string, string]>([
    ["the egress package", "packages/egress/src/a.ts", 'import { request } from "undici";'],
    ["the store's database", "packages/store/src/postgres/a.ts", 'import { Client } from "pg";'],
    ["other packages", "packages/client/src/a.ts", 'export const a = globalThis.fetch("x");'],
  ])("leaves %s alone", (_name, path, text) => {
    expect(waysOut(path, text)).toEqual([]);
  });
});

/** The files that the linter refuses, with the repository's own settings. */
async function refusedByLinter(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "yagate-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(repositoryRoot, "biome.json"), join(folder, "biome.json"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  const biome = join(repositoryRoot, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "packages"];
  // It exits with status 1 when it refuses something.
  const report = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout)),
  );
  const { diagnostics }: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(report);
  return diagnostics
    .filter(({ category }) => /^lint\/style\/noRestricted(?:Imports|Globals)$/.test(category))
    .map(({ location }) => location.path);
}

it("the linter refuses ways out in the packages of the gateway, and nowhere else", async () => {
  const name = (index: number) => `a${String(index).padStart(2, "0")}.ts`;
  const guarded = ["packages/builtins/src/", "packages/gateway/src/tools/http/", "packages/lib/src/"];
  const folders = [...guarded, "packages/egress/src/", "packages/client/src/"];
  const all = [...OPENING.map(([text]) => text), ...CLOSED];
  const files = folders.flatMap((folder) => all.map((text, index) => [`${folder}${name(index)}`, text]));
  const refused = await refusedByLinter(Object.fromEntries(files));
  const expected = guarded.flatMap((folder) =>
    OPENING.flatMap(([, finders], index) => (finders === "test" ? [] : [`${folder}${name(index)}`])),
  );
  expect([...new Set(refused)].toSorted()).toEqual(expected);
});
