import { Yagate } from "@yagate/client";
import { ALL_SCOPES } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

describe("yagate keys and yagate audit", () => {
  it("make, rotate and delete keys, and tell who did", async () => {
    const { url, env } = await startGateway();
    const run = (...args: string[]) => runWithInput(args, env);

    const name = "ci\nforged row";
    const made = await run("keys", "create", name, "--scopes", "agents", "--expires", "90d");
    expect(made.status).toBe(0);
    const [text = ""] = /yk_[\w-]{43}/.exec(made.output) ?? [];
    const [id = ""] = /key_\w+/.exec(made.output) ?? [];
    expect(made.output).toMatch(/It expires at 20/);
    const list = await run("keys", "list");
    expect(list.output).toContain(id);
    expect(list.output).not.toContain(text);
    expect(list.output.trimEnd().split("\n")).toHaveLength(2);

    const rotated = await run("keys", "rotate", id, "--overlap", "3600");
    const [next = ""] = /yk_[\w-]{43}/.exec(rotated.output) ?? [];
    expect(next).not.toBe(text);
    expect(rotated.output).toMatch(/The previous value works until 20/);
    for (const apiKey of [text, next]) {
      expect(await new Yagate({ baseUrl: url, apiKey }).agents.list().toArray()).toEqual([]);
    }
    expect(await run("keys", "delete", id)).toMatchObject({ status: 0 });

    const audit = await run("audit", "--since", "1h", "--resource", id);
    const rows = audit.output.trimEnd().split("\n");
    expect(rows.map((row) => row.split(/ {2,}/)[1])).toEqual([
      ...["ACTION", "api_key.deleted", "api_key.rotated", "api_key.created"],
    ]);
    expect(rows[1]).toMatch(/ci\\nforged row.*bootstrap.*127\.0\.0\.1/);
    const json = await run("audit", "--type", "api_key", "--json");
    const entries = json.output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ action }) => action)).toEqual(["api_key.deleted", "api_key.rotated", "api_key.created"]);
    expect(entries[2]).toMatchObject({ before: null, after: { name, scopes: ["agents"] } });
    expect((await run("audit", "--limit", "1")).output).toContain("There are more entries: use --limit");
    const none = await run("audit", "--type", "api_keys");
    expect(none).toMatchObject({ status: 0, output: expect.stringMatching(/Filters match complete values/) });
    expect((await run("audit", "--since", "1m", "--until", "1h")).output).toBe("No entry matches.\n");

    for (const args of [
      ["audit", "--since", "yesterday"],
      ["audit", "--limit", "0"],
      ["keys", "create", "ci", "--scopes", "everything"],
      ["keys", "create", "ci", "--scopes", "agents", "--routing", "scopes=orders"],
      ["keys", "create", "ci", "--scopes", "agents", "--routing", '{"dataClass":"secret"}'],
    ]) {
      expect(await run(...args)).toMatchObject({ status: 2 });
    }
    for (const overlap of ["-1", "1h", "604801"]) {
      const output = expect.stringContaining("expected --overlap to be a whole number of seconds from 0 to 604800");
      expect(await run("keys", "rotate", id, `--overlap=${overlap}`)).toMatchObject({ status: 2, output });
    }
    const { output: help } = await run("keys", "create", "--help");
    expect(help.replaceAll(/\s+/g, " ")).toContain(`separated by commas: ${ALL_SCOPES.join(", ")} --expires`);
  });
});
