import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { executionSchema, toolCallRecordSchema, toolSourceSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import * as z from "zod";
import { freePort } from "../../../test/services/free-port.ts";
import { startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";
import { blocksOf, makeOwnFolder, startOwnService } from "./support/own-tool.ts";
import { SECRET } from "./support/signed-request.ts";

const PAGE = "docs/quickstart.md";
const YAGATE_API_KEY = "yk_0123456789abcdef0123456789abcdef";
const run = promisify(execFile);

it("the quickstart's commands and programs do what the page says", { timeout: 90_000 }, async () => {
  const dev = await startListening(["dev", "--port", "0", "--no-demo"], {
    cwd: await makeFolder(),
    env: { YAGATE_API_KEY, YAGATE_SIGNING_SECRET: SECRET },
  });
  const env: Record<string, string> = { YAGATE_BASE_URL: dev.url, YAGATE_API_KEY };
  const folder = await makeOwnFolder();
  const [serviceText = "", app = ""] = await blocksOf(PAGE, "js");
  const service = await startOwnService(join(folder, "service.mjs"), serviceText, await freePort());
  const commands = await blocksOf(PAGE, "sh");
  const said = await blocksOf(PAGE, "text", "json");

  /** Runs the first command of the page with this text, on the port of the test, and reads the JSON that it prints. */
  async function sent(mark: string, change: (command: string) => string = (command) => command): Promise<unknown> {
    const command = commands.find((text) => text.includes(mark));
    if (command === undefined) throw new Error(`the page has no command with ${mark}`);
    const written = change(command).replaceAll("http://localhost:3000/tools", service.url);
    return JSON.parse((await run("bash", ["-c", written], { env: { ...process.env, ...env } })).stdout);
  }
  const forTen = (command: string) => command.replace("4 guests", "10 guests");
  const shown = said.map(withoutId);

  expect(await sent("http://localhost:3000/tools -d '{}'")).toEqual(
    JSON.parse(said.find((block) => block.includes("SIGNATURE_MISSING")) ?? ""),
  );
  const source = toolSourceSchema.parse(await sent("/v1/tool-sources"));
  expect(source.tools).toMatchObject([{ toolName: "tools.book_table" }]);
  env["AGENT"] = z.looseObject({ id: z.string() }).parse(await sent("/v1/agents \\")).id;

  const booked = executionSchema.parse(await sent("Prefer: wait=30"));
  expect(booked.status).toBe("completed");
  expect(shown).toContainEqual(expect.stringContaining(withoutId(booked.output?.text)));
  const failed = executionSchema.parse(await sent("Prefer: wait=30", forTen));
  expect(failed.status).toBe("completed");
  expect(shown).toContainEqual(expect.stringContaining(withoutId(failed.output?.text)));

  await writeFile(join(folder, "app.mjs"), app);
  const { stdout } = await run(process.execPath, [join(folder, "app.mjs")], { env: { ...process.env, ...env } });
  expect(stdout).toContain("tools.book_table failed: NO_TABLE\n");
  expect(stdout).toContain("completed tools_book_table returned booked: false; note: please call us.\n");

  await service.stop();
  env["EXECUTION"] = executionSchema.parse(await sent("Prefer: wait=30")).id;
  const { data } = z.object({ data: z.array(toolCallRecordSchema) }).parse(await sent("/tool-calls"));
  expect(data).toMatchObject([{ status: "failed", error: { code: "NETWORK_ERROR", outcome: "none" } }]);
  expect(data[0]?.attempts).toHaveLength(3);
});

/** A text without what differs between the page and a run: the ids of tool calls. */
function withoutId(text = "no text"): string {
  return text.trim().replaceAll(/tc_\w+/g, "tc_");
}
