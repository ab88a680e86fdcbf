import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { startHandwritten } from "../support/handwritten-handler.ts";
import { runCheck } from "../support/run-check.ts";
import { SECRET } from "../support/signed-request.ts";

/** A handler behind a server that answers everything but POST by itself; the status 0 is none at all. */
async function startBehind(status: number, onOther: (method?: string) => void = () => {}): Promise<string> {
  const { url } = await startHandwritten({ secrets: [SECRET] });
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") {
      onOther(request.method);
      if (status === 0) return request.socket.destroy();
      return response.writeHead(status).end();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { "x-ya-signature": String(request.headers["x-ya-signature"]) };
    const answer = await fetch(url, { method: "POST", headers, body: Buffer.concat(chunks) });
    return response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  return `${await listenOnLoopback(server)}/`;
}

async function judge(url: string, options: readonly string[] = []) {
  const args = ["conformance", url, "--tool", "ping", "--only", "get,put,delete,head", ...options, "--json"];
  const { stdout, status } = await runCheck(args, { env: { YAGATE_SIGNING_SECRET: SECRET } });
  const cases: readonly { outcome: string; reason?: string; remark?: string }[] = JSON.parse(stdout).cases;
  return {
    status,
    outcomes: cases.map(({ outcome }) => outcome),
    words: cases.map((each) => each.reason ?? each.remark),
  };
}

const BEST = expect.stringMatching(/^it responded with 501: nothing ran, as required; 405 is recommended$/);
const NOT_MET = expect.stringMatching(/^it responded with 500; expected /);

it.each([
  [405, ["pass", "pass", "pass", "pass"], [undefined, undefined, undefined, undefined]],
  [501, ["pass", "pass", "pass", "pass"], [BEST, BEST, BEST, BEST]],
  [
    500,
    ["pass", "fail", "fail", "fail"],
    [expect.stringMatching(/^it responded with 500: nothing ran/), NOT_MET, NOT_MET, NOT_MET],
  ],
  [
    0,
    ["pass", "fail", "fail", "fail"],
    [
      expect.stringMatching(/^it closed the connection .*: nothing ran/),
      ...Array(3).fill(expect.stringMatching(/^it closed/)),
    ],
  ],
])("a server that answers %i to other methods by itself has run nothing", async (status, outcomes, words) => {
  expect(await judge(await startBehind(status))).toEqual({ status: 0, outcomes, words });
});

it("a run shows in the count too, whatever the answer is", async () => {
  let runs = 0;
  const url = await startBehind(204, () => {
    runs += 1;
  });
  const counter = createServer((_request, response) => response.end(String(runs))).listen(0, "127.0.0.1");
  await once(counter, "listening");
  onTestFinished(() => {
    counter.close();
    counter.closeAllConnections();
  });
  const address = counter.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { status, outcomes, words } = await judge(url, ["--counter-url", `http://127.0.0.1:${port}/`]);
  expect({ status, outcomes }).toEqual({ status: 1, outcomes: ["fail", "fail", "fail", "pass"] });
  expect(words[0]).toBe("it responded with 204 and the tool ran; nothing may run");
});
