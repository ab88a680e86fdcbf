import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KEYS, runCommand, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";
import { runWithInput } from "./support/run-with-input.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

describe("yagate", () => {
  it.each([
    ["--help", ["--help"], /Most used:\n {2}dev [\s\S]*serve[\s\S]*secret[\s\S]*verify[\s\S]*conformance/],
    [
      "verify --help",
      ["verify", "--help"],
      /Examples:\n {2}yagate verify request\.http[\s\S]*never an argument[\s\S]*Exit status/,
    ],
    [
      "conformance --help",
      ["conformance", "--help"],
      /Examples:[\s\S]*never run it against production[\s\S]*Exit status/,
    ],
    [
      "serve --help",
      ["serve", "--help"],
      /YAGATE_MASTER_KEYS="k1:\$\(openssl rand -base64 32\)"[\s\S]*yagate help environment/,
    ],
    [
      "dev --help",
      ["dev", "--help"],
      /--port <port>[\s\S]*--data-dir <folder>[\s\S]*YAGATE_API_KEY[\s\S]*yagate help environment/,
    ],
  ])("answers %s", async (_name, args, output) => {
    expect(await runWithInput(args, {})).toEqual({ status: 0, output: expect.stringMatching(output) });
  });

  it("answers --version, and a wrong command line, as a process of its own", async () => {
    expect(await runCommand(["--version"])).toEqual({ status: 0, output: `${version}\n` });
    expect(await runCommand(["start"])).toEqual({
      status: 2,
      output: expect.stringMatching(/unknown command 'start'\n[\s\S]*Try: yagate --help\n/),
    });
  });

  it.each([
    ["no command", [], /Usage: yagate/],
    ["a command that it does not have", ["start"], /unknown command 'start'\n[\s\S]*Try: yagate --help\n/],
    ["an option that it does not have", ["dev", "--prot", "1"], /unknown option '--prot'/],
    ["an option that verify lacks", ["receipt", "verify", "r.json", "--foo"], /unknown option '--foo'/],
    ["no file for verify", ["receipt", "verify"], /missing required argument 'file'/],
    ["no execution", ["receipt"], /expected the id of an execution/],
    ["an option of another command", ["approvals", "deny", "apr_1", "--comment", "no"], /unknown option '--comment'/],
    ["an argument too many", ["secret", "delete", "A", "B"], /too many arguments/],
    ["a wrong option of a check", ["verify", "--foo"], /unknown option '--foo'\nTry: yagate verify --help\n/],
  ])("shows how it is used when it gets %s", async (_name, args, output) => {
    expect(await runWithInput(args, {})).toEqual({ status: 2, output: expect.stringMatching(output) });
  });
});

describe("yagate dev", () => {
  it("prints keys that work, stops cleanly, and has the same signing secret the next time", async () => {
    const cwd = await makeFolder();
    const { output, until, stop } = await startListening(["dev", "--port", "0"], { cwd });
    await until(/Ctrl\+C stops the gateway/);
    const exported = new Map([...output().matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
    expect(exported.get("YAGATE_SIGNING_SECRET")).toMatch(/^whsec_/);
    expect(output()).toContain(`data in ${cwd}/.yagate, tools allowed on 127.0.0.0/8, ::1/128`);
    expect(output()).toContain("Executions are deleted 30 days after they end;");
    const answer = await fetch(`${exported.get("YAGATE_BASE_URL")}/v1/agents`, {
      method: "POST",
      headers: { authorization: `Bearer ${exported.get("YAGATE_API_KEY")}`, "content-type": "application/json" },
      body: '{ "name": "Calculator", "model": "scripted/keyword", "tools": [{ "builtin": "calculator" }] }',
    });
    expect(answer.status).toBe(201);
    expect(await stop("SIGINT")).toBe(0);
    expect(output()).toMatch(/Stopping: waiting for calls/);

    const next = await startListening(["dev", "--port", "0", "--data-dir", ".yagate"], { cwd });
    await next.until(/Ctrl\+C stops the gateway/);
    expect(next.output()).toContain(`YAGATE_SIGNING_SECRET=${exported.get("YAGATE_SIGNING_SECRET")}`);
    expect(next.output()).not.toContain(`${exported.get("YAGATE_API_KEY")}`);
  });
});

describe("yagate serve", () => {
  it("listens, logs what it serves, prints nothing secret, and exits with status 0 on SIGTERM", async () => {
    const cwd = await makeFolder();
    const { url, output, stop } = await startListening(["serve"], { cwd, env: { ...KEYS, YAGATE_PORT: "0" } });
    const answer = await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${KEYS.YAGATE_API_KEY}` } });
    expect(answer.status).toBe(200);
    expect(await stop()).toBe(0);
    expect(output()).toMatch(/"route":"\/v1\/agents"/);
    for (const secret of [KEYS.YAGATE_API_KEY, KEYS.YAGATE_MASTER_KEYS, "whsec_"]) {
      expect(output()).not.toContain(secret);
    }
  });
});
