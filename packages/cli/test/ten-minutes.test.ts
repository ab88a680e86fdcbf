import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { repositoryRoot } from "../../../scripts/repository-root.ts";
import { codeBlocks } from "../../../test/docs-blocks/code-blocks.ts";
import { onFreePort } from "../../../test/services/free-port.ts";
import { startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";
import { runCheck } from "./support/run-check.ts";
import { SECRET } from "./support/signed-request.ts";

const YAGATE_API_KEY = "yk_0123456789abcdef0123456789abcdef";

it("README's ten minutes: the tool is written once, added as a source and used", { timeout: 60_000 }, async () => {
  const dev = await startListening(["dev", "--port", "0", "--no-demo"], {
    cwd: await makeFolder(),
    env: { YAGATE_API_KEY, YAGATE_SIGNING_SECRET: SECRET },
  });
  const env = { YAGATE_BASE_URL: dev.url, YAGATE_API_KEY };
  const folder = await makeOwnFolder();
  const [service = "", app = ""] = await readmeBlocks();
  const url = await onFreePort((port) => startService(join(folder, "service.ts"), service, port));

  const added = await runCheck(["sources", "add", url], { env });
  expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining("tools.book_table · accepted") });
  await writeFile(join(folder, "app.ts"), app);
  const runApp = () =>
    promisify(execFile)(process.execPath, [join(folder, "app.ts")], { env: { ...process.env, ...env } });
  expect((await runApp()).stdout).toMatch(
    /booked: true; guests: 4; time: 19:30.*\n.*\[ \[ 'tools\.book_table', 'completed', 1 \] \]/,
  );
});

/** The two programs as the page has them. */
async function readmeBlocks(): Promise<readonly string[]> {
  const blocks = codeBlocks("README.md", await readFile(join(repositoryRoot, "README.md"), "utf8"));
  return blocks.filter(({ language }) => language === "ts").map(({ text }) => text);
}

/** A folder in `my-tool`, where Node finds the packages. */
async function makeOwnFolder(): Promise<string> {
  const parent = join(repositoryRoot, "my-tool");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startService(file: string, text: string, port: number): Promise<string> {
  await writeFile(file, text.replaceAll("3000", String(port)));
  const env = { ...process.env, YAGATE_SIGNING_SECRET: SECRET };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    if (child.kill()) await once(child, "exit");
  });
  const [line] = await once(child.stdout, "data");
  const [, url] = /the tools are at (\S+)/.exec(String(line)) ?? [];
  // With these words, another port is tried.
  if (url === undefined) throw new Error(`Address already in use, probably: ${line}`);
  return url;
}
