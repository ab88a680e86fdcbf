import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { freePort } from "../../../test/services/free-port.ts";
import { startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";
import { blocksOf, makeOwnFolder, startOwnService } from "./support/own-tool.ts";
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
  const [service = "", app = ""] = await blocksOf("README.md", "ts");
  const { url } = await startOwnService(join(folder, "service.ts"), service, await freePort());

  const added = await runCheck(["sources", "add", url], { env });
  expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining("tools.book_table · accepted") });
  await writeFile(join(folder, "app.ts"), app);
  const runApp = () =>
    promisify(execFile)(process.execPath, [join(folder, "app.ts")], { env: { ...process.env, ...env } });
  expect((await runApp()).stdout).toMatch(
    /booked: true; guests: 4; time: 19:30.*\n.*\[ \[ 'tools\.book_table', 'completed', 1 \] \]/,
  );
});
