import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "./support/folder.ts";
import { startGateway } from "./support/gateway.ts";
import { runCheck } from "./support/run-check.ts";

const desk = {
  ...{ name: "Desk", model: "scripted/keyword", systemPrompt: "Be kind." },
  tools: [{ builtin: "calculator" }],
};

async function world() {
  const { env } = await startGateway();
  const file = join(await makeFolder(), "agents.json");
  return {
    env,
    async apply(agents: unknown, ...options: string[]) {
      await writeFile(file, JSON.stringify(agents));
      return runCheck(["agents", "apply", "--file", file, ...options], { env });
    },
    async shown(name: string) {
      return JSON.parse((await runCheck(["agents", "show", name], { env })).stdout);
    },
  };
}

describe("yagate agents apply", () => {
  it("creates agents, leaves them alone while the file stays the same, and shows what it changes", async () => {
    const { apply, shown } = await world();
    const created = await apply([desk, { ...desk, name: "Till" }]);
    expect(created).toMatchObject({ status: 0, stdout: "Desk: created, version 1\nTill: created, version 1\n" });
    expect(await apply([desk, { ...desk, name: "Till" }])).toEqual({
      ...{ status: 0, stdout: "Desk: unchanged\nTill: unchanged\n", stderr: "" },
    });
    const changed = await apply({ ...desk, systemPrompt: "Be brief." });
    expect(changed).toMatchObject({ status: 0, stdout: "Desk: updated, version 2\n" });
    expect(changed.stderr).toMatch(
      /^Desk: changes\n[\s\S]* {2}- {3}"systemPrompt": "Be kind\."[\s\S]* {2}\+ {3}"systemPrompt": "Be brief\."/,
    );
    expect(await shown("Desk")).toMatchObject({ version: 2, systemPrompt: "Be brief." });
  });

  it("resets a field that the file no longer has", async () => {
    const { apply, shown } = await world();
    await apply({ ...desk, limits: { maxToolIterations: 3 } });
    expect((await shown("Desk")).limits).toMatchObject({ maxToolIterations: 3 });
    expect(await apply(desk)).toMatchObject({ stdout: "Desk: updated, version 2\n" });
    expect((await shown("Desk")).limits.maxToolIterations).toBe(8);
  });

  it("changes nothing with --dry-run", async () => {
    const { apply, shown } = await world();
    await apply(desk);
    const planned = await apply(
      [
        { ...desk, model: "scripted/turns" },
        { ...desk, name: "Till" },
      ],
      "--dry-run",
      "--json",
    );
    expect(JSON.parse(planned.stdout)).toMatchObject([
      {
        name: "Desk",
        action: "updated",
        version: 1,
        diff: ['-   "model": "scripted/keyword",', '+   "model": "scripted/turns",'],
      },
      { name: "Till", action: "created", id: null },
    ]);
    expect(await shown("Desk")).toMatchObject({ version: 1, model: "scripted/keyword" });
  });

  it.each<[string, unknown, RegExp]>([
    ["text that is no JSON", undefined, /to be a JSON object or a list of them/],
    ["an unknown field", { ...desk, prompt: "x" }, /prompt/],
    ["one name twice", [desk, desk], /the file has two agents named Desk/],
  ])("refuses %s and changes nothing", async (_what, agents, message) => {
    const { apply, env } = await world();
    const refused = await apply(agents ?? "text");
    expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect((await runCheck(["agents", "list"], { env })).stdout).toContain("There are no agents");
  });

  it("lists the versions of an agent, newest first", async () => {
    const { apply, env } = await world();
    await apply(desk);
    await apply({ ...desk, systemPrompt: "Be brief." });
    const listed = await runCheck(["agents", "versions", "Desk"], { env });
    expect(listed.stdout.split("\n").map((line) => line.split(/ {2,}/)[0])).toEqual(["VERSION", "2", "1", ""]);
  });
});
