import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { KEYS, runCommand, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

const API_KEY = KEYS.YAGATE_API_KEY;

async function nameOfAgent(url: string, id: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/agents/${id}`, { headers: { authorization: `Bearer ${API_KEY}` } });
  return [response.status, agentSchema.parse(await response.json()).name];
}

it("copies the data of a gateway that runs, with its master key when that is asked for, and one starts on the copy", {
  timeout: 60_000,
}, async () => {
  const cwd = await makeFolder();
  const env = { YAGATE_API_KEY: API_KEY, YAGATE_PORT: "0" };
  const running = await startListening(["dev", "--data-dir", "data"], { cwd, env });
  const made = await fetch(`${running.url}/v1/agents`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Kept", model: "scripted/keyword", tools: [{ builtin: "calculator" }] }),
  });
  const { id } = agentSchema.parse(await made.json());

  const bare = await runCommand(["backup", "bare", "--data-dir", "data"], { cwd });
  expect(bare).toMatchObject({
    status: 0,
    output: expect.stringMatching(
      /journal\.db: \d+ bytes[\s\S]*Keep the file master\.key of the data directory elsewhere/,
    ),
  });
  const whole = await runCommand(["backup", "whole", "--with-master-key"], { cwd, env: { YAGATE_DATA_DIR: "data" } });
  expect(whole).toMatchObject({ status: 0, output: expect.stringContaining("everyone who has this folder can read") });
  expect([await readdir(join(cwd, "bare")), await readdir(join(cwd, "whole"))]).toEqual([
    ["journal.db"],
    ["journal.db", "master.key"],
  ]);
  expect(await nameOfAgent(running.url, id)).toEqual([200, "Kept"]);
  expect(await running.stop()).toBe(0);

  // Without the key that sealed it nothing can sign; a new key would make that final.
  const keyless = await runCommand(["dev", "--data-dir", "bare"], { cwd, env });
  expect(keyless).toMatchObject({
    status: 2,
    output: expect.stringContaining("master key that encrypted the data is missing"),
  });
  const restored = await startListening(["dev", "--data-dir", "whole"], { cwd, env });
  expect(await nameOfAgent(restored.url, id)).toEqual([200, "Kept"]);
  expect(await restored.stop()).toBe(0);
});

it.each([
  ["a folder that holds something", ["backup", "full"], {}, /expected a new or empty folder/],
  ["a data directory without a journal", ["backup", "new", "--data-dir", "full"], {}, /the file does not exist/],
  [
    "a file that is not a database",
    ["backup", "new", "--data-dir", "broken"],
    {},
    /the file is not a database, or it is damaged/,
  ],
  [
    "a database",
    ["backup", "new"],
    { DATABASE_URL: "postgres://u:planted@localhost/y" },
    /copy a PostgreSQL database with pg_dump/,
  ],
])("says what is in the way of copying: %s", async (_what, args, env, message) => {
  const cwd = await makeFolder();
  for (const folder of ["full", "broken"]) await mkdir(join(cwd, folder));
  await writeFile(join(cwd, "full", "notes.txt"), "notes");
  await writeFile(join(cwd, "broken", "journal.db"), "x".repeat(10_000));
  const { status, output } = await runCommand(args, { cwd, env });
  expect([status, output]).toEqual([2, expect.stringMatching(message)]);
  expect(output).not.toContain("planted");
  const left = (await readdir(cwd)).includes("new") ? await readdir(join(cwd, "new")) : [];
  expect(left).toEqual([]);
});
