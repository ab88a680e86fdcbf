import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";
import { codeBlocks } from "../../../../test/docs-blocks/code-blocks.ts";
import { SECRET } from "./signed-request.ts";

/** The blocks of a page in these languages, as the page has them. */
export async function blocksOf(page: string, ...languages: readonly string[]): Promise<readonly string[]> {
  const blocks = codeBlocks(page, await readFile(join(repositoryRoot, page), "utf8"));
  return blocks.filter(({ language }) => languages.includes(language)).map(({ text }) => text);
}

/** A folder in `my-tool`, where Node finds the packages. */
export async function makeOwnFolder(): Promise<string> {
  const parent = join(repositoryRoot, "my-tool");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The service of a page, running. */
export interface OwnService {
  /** The URL of its tools. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the service of a page on another port than the page has. */
export async function startOwnService(file: string, text: string, port: number): Promise<OwnService> {
  await writeFile(file, text.replaceAll("3000", String(port)));
  const env = { ...process.env, YAGATE_SIGNING_SECRET: SECRET };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    if (child.kill()) await once(child, "exit");
  };
  onTestFinished(stop);
  const [line] = await once(child.stdout, "data");
  const [, url] = /the tools are at (\S+)/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`expected the URL of the tools, got: ${line}`);
  return { url, stop };
}
