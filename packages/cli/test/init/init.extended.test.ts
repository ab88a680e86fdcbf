import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { repositoryRoot } from "../../../../scripts/repository-root.ts";
import { freePort } from "../../../../test/services/free-port.ts";
import { startListening } from "../support/command.ts";
import { makeOwnFolder } from "../support/own-tool.ts";
import { runCheck } from "../support/run-check.ts";

const run = promisify(execFile);
const TSC = join(repositoryRoot, "node_modules", "typescript7", "bin", "tsc");

it.each(["express", "hono", "fastify"])(
  "a project for %s has types that fit, and answers with its gateway, its service and its agent",
  {
    timeout: 90_000,
  },
  async (template) => {
    const folder = join(await makeOwnFolder(), "tools");
    expect(await runCheck(["init", folder, "--template", template])).toMatchObject({ status: 0 });
    await run(process.execPath, [TSC, "--noEmit", "--customConditions", "@yagate/source", "-p", folder]);
    const port = await freePort();
    const config = join(folder, "yagate.config.ts");
    await writeFile(config, (await readFile(config, "utf8")).replace("localhost:3000", `localhost:${port}`));
    const given = parseEnv(await readFile(join(folder, ".env"), "utf8"));
    const keys = Object.fromEntries(Object.entries(given).map(([name, value = ""]) => [name, value]));

    const service = spawn(process.execPath, ["--env-file=.env", "service.ts"], {
      ...{ cwd: folder, env: { ...process.env, PORT: `${port}` }, stdio: ["ignore", "pipe", "inherit"] },
    });
    onTestFinished(() => void service.kill());
    const [line] = await once(service.stdout, "data");
    expect(`${line}`).toBe(`the tools are at http://localhost:${port}/tools\n`);

    const dev = await startListening(["dev", "--port", "0"], { cwd: folder, env: keys });
    await dev.until(/agent Host was created/);
    const asked = await runCheck(["exec", "Host", 'Book a table for 4 guests at "19:30"'], {
      env: { ...keys, YAGATE_BASE_URL: dev.url },
    });
    expect(asked).toMatchObject({ status: 0, stdout: expect.stringContaining("booked: true; guests: 4; time: 19:30") });
  },
);
