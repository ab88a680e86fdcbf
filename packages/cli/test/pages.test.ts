import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allCases } from "../src/conformance/all-cases.ts";
import { GROUPS } from "../src/conformance/conformance-case.ts";
import { makeFolder } from "./support/folder.ts";
import { KIT_SERVERS, kitHandler } from "./support/kit-servers.ts";
import { runCheck, spawnCheck } from "./support/run-check.ts";
import { CALL, SECRET, signedRequest, toHttp } from "./support/signed-request.ts";

const ENV = { YAGATE_SIGNING_SECRET: SECRET };
const read = (page: string) => readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
const verifying = read("docs/verifying-requests.md");
const conformance = read("docs/conformance.md");
const conformanceCases = read("docs/conformance-cases.md");

/** The part of a page below a heading, up to the next of its level. */
function section(page: string, heading: string): string {
  const [, text = ""] = page.split(new RegExp(`^#+ ${heading}$`, "m"));
  return text.split(/^## /m)[0] ?? "";
}

/** The commands of a page whose output is below them. */
function documented(page: string): readonly (readonly [command: string, output: string])[] {
  const pairs = page.matchAll(
    /^```sh\n(?:export [^\n]*\n)*npx @yagate\/cli ([^\n]*)\n```\n+```text\n([\s\S]*?)^```$/gm,
  );
  return [...pairs].map(([, command = "", output = ""]) => [command, output] as const);
}

describe("docs/verifying-requests.md", () => {
  it("shows what yagate verify prints", async () => {
    const cwd = await makeFolder();
    const request = await signedRequest();
    const body = Buffer.from(JSON.stringify(CALL, null, 2));
    await writeFile(join(cwd, "request.http"), toHttp(request));
    await writeFile(join(cwd, "parsed.http"), toHttp({ ...request, body }));
    const commands = documented(verifying);
    expect(commands.map(([command]) => command)).toEqual([
      "verify request.http --at 2026-01-15T18:02:12Z",
      "verify parsed.http",
    ]);
    for (const [command, output] of commands) {
      const { stdout } = await spawnCheck(command.split(" "), { cwd, env: ENV });
      expect(stdout).toBe(output);
    }
  });

  it("has every cause that yagate verify names", () => {
    const sources = [
      "byte-forms",
      "json-forms",
      "key-forms",
      "signed-texts",
      "shape-cause",
      "age-cause",
      "fields-cause",
      "difference-cause",
    ];
    const files = [...sources.map((name) => `causes/${name}`), "explain"];
    const ids = files.flatMap((file) =>
      [
        ...read(`packages/cli/src/verify/${file}.ts`).matchAll(
          /\bid: (?:code === "\w+" \? )?"([a-z-]+)"(?: : "([a-z-]+)")?/g,
        ),
      ].flatMap(([, first, second]) => [first, second].filter((id) => id !== undefined)),
    );
    const rows = [...section(verifying, "Causes").matchAll(/^\| ((?:`[a-z][a-z-]+`(?:, )?)+) \|/gm)].flatMap(
      ([, cell = ""]) => [...cell.matchAll(/`([a-z][a-z-]+)`/g)].map(([, id]) => id),
    );
    expect([...new Set(rows)].toSorted()).toEqual([...new Set(ids)].toSorted());
  });
});

describe("docs/conformance.md and docs/conformance-cases.md", () => {
  it.each(Object.entries(GROUPS))("has every case of the group %s", (group, heading) => {
    const [, text = ""] = conformanceCases.split(`## ${heading}\n`);
    const table = text.split(/^## /m)[0] ?? "";
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (\w+) \| (.*) \|$/gm)].map(([, id, level, title]) => ({
      id,
      level,
      title,
    }));
    const cases = allCases().filter((each) => each.group === group);
    expect(rows).toEqual(cases.map(({ id, level, title }) => ({ id, level, title })));
  });

  it("shows what yagate conformance prints", async () => {
    const [, mount] = KIT_SERVERS.find(([name]) => name === "node:http") ?? [];
    if (mount === undefined) throw new Error("expected node:http");
    const url = await mount(kitHandler(undefined));
    const [[command, output] = ["", ""]] = documented(conformance);
    expect(command).toBe("conformance http://127.0.0.1:3000/tools --tool ping");
    const { stdout, status } = await runCheck(command.replace("http://127.0.0.1:3000/tools", url).split(" "), {
      env: ENV,
    });
    const likeThePage = stdout
      .replace(url, "http://127.0.0.1:3000/tools")
      .replace(/cases in [\d.]+ s/, "cases in 6.1 s");
    expect(likeThePage).toBe(output);
    expect(status).toBe(0);
  }, 30_000);
});
