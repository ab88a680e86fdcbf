import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { failedIds, judged } from "../support/judged.ts";
import { pageBlock } from "../support/page-block.ts";
import { runCheck } from "../support/run-check.ts";
import { SECRET } from "../support/signed-request.ts";

const PAGE = "docs/verify-in-any-language.md";
const HANDLER = pageBlock(PAGE, "python", "BaseHTTPRequestHandler");
const isHere = spawnSync("python3", ["--version"]).status === 0;

/**
 * How long the handler has for an answer. It always answers, but in two seconds not on a machine that gives its process
 * no time for as long.
 */
const ANSWER_SECONDS = 20;

/** A tool of every second try, for the case of a failure that may be retried. */
const FLAKY = `
tries = 0

def flaky(parameters):
    global tries
    tries += 1
    if tries % 2 == 1:
        raise RuntimeError("busy")
    return "done"

TOOLS = {"ping": ping, "flaky": flaky}
`;

/** The program of the page, on a free port. */
async function start(program: string): Promise<string> {
  const file = join(await makeFolder(), "handler.py");
  const main = 'Server(("", 3000), Handler).serve_forever()';
  expect(program).toContain(main);
  const onFreePort = `server = Server(("127.0.0.1", 0), Handler)\n    print(server.server_port, flush=True)\n    server.serve_forever()`;
  await writeFile(file, program.replace(main, onFreePort));
  // It logs every request, and each client that vanished, on standard error.
  const child = spawn("python3", [file], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, YAGATE_SIGNING_SECRET: SECRET },
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
  const [port] = await once(child.stdout, "data");
  return `http://127.0.0.1:${Number(port)}/`;
}

it("the verifier in the handler is that of the page", () => {
  const verifier = /^def is_signed[\s\S]*?\n\n/m.exec(HANDLER)?.[0].trim();
  expect(verifier).toBeDefined();
  expect(pageBlock(PAGE, "python")).toContain(verifier);
});

describe.skipIf(!isHere)(
  isHere ? "the handler in Python" : "the handler in Python: python3 is not on this machine",
  () => {
    it("passes all that is required", async () => {
      const report = await judged(await start(HANDLER.replace('TOOLS = {"ping": ping}', FLAKY)), {
        answerTimeoutMs: ANSWER_SECONDS * 1_000,
      });
      expect(failedIds(report, "required")).toEqual([]);
      expect(failedIds(report, "recommended")).toEqual([
        "same-id-other-parameters",
        "call-id-prefix",
        "answer-signed",
        "status-signature-missing",
        "status-signature-malformed",
      ]);
      const notAsked = report.cases.filter(({ outcome, level }) => outcome === "not-asked" && level === "required");
      expect(notAsked.map(({ id }) => id)).toEqual([
        "rot-previous",
        "audience-other",
        "audience-missing",
        "answer-signature-right",
        "describe-audience-other",
        "manifest-signed",
        "manifest-valid",
        "manifest-has-tool",
      ]);
      expect(report.summary.requiredNotJudged).toBe(0);
    });

    it.each([
      ["the limit", "len(length) > 10 or int(length) > MAX_BODY_BYTES", "False", ["oversize"]],
      ["the date", "age > TOLERANCE_SECONDS", "False", ["call-old"]],
      ["once", 'answers.get(call["toolCallId"])', "None", ["replay", "retry"]],
      ["what is no call", "RecursionError)", "ZeroDivisionError)", ["deep-nesting"]],
    ])("fails without %s", async (_name, part, without, required) => {
      expect(HANDLER).toContain(part);
      const program = HANDLER.replace(part, without);
      const only = [...required, "sig-valid"].join(",");
      const args = [
        "conformance",
        await start(program),
        "--tool",
        "ping",
        "--only",
        only,
        "--answer-timeout",
        `${ANSWER_SECONDS}`,
        "--json",
      ];
      const { stdout } = await runCheck(args, { env: { YAGATE_SIGNING_SECRET: SECRET } });
      const cases: readonly { id: string; outcome: string }[] = JSON.parse(stdout).cases;
      expect(cases.filter(({ outcome }) => outcome === "fail").map(({ id }) => id)).toEqual(required);
    });

    it("is not said to run twice with the queue of connections that http.server has by itself", async () => {
      const program = HANDLER.replace("request_queue_size = 128", "request_queue_size = 5");
      expect(program).not.toBe(HANDLER);
      const args = ["conformance", await start(program), "--tool", "ping", "--only", "duplicates-at-once", "--json"];
      const { stdout, status } = await runCheck(args, { env: { YAGATE_SIGNING_SECRET: SECRET } });
      expect(JSON.parse(stdout)).toMatchObject({ conforms: true, summary: { requiredFailed: 0 } });
      expect(status).toBe(0);
    });
  },
);
