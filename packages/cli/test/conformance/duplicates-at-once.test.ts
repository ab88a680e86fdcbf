import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Defect } from "../support/defects.ts";
import { startHandwritten } from "../support/handwritten-handler.ts";
import { runCheck } from "../support/run-check.ts";
import { SECRET } from "../support/signed-request.ts";

/** What a server does with a connection, by its number: first come three calls one by one, then the copies. */
type Crowd = (number: number) => "pass" | "reset" | "busy";

const CALLS = 3;
const COPIES = 20;

const BUSY = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** A handler behind a server that takes only so many connections. */
async function startBehind(crowd: Crowd, defect?: Defect): Promise<string> {
  const { port } = new URL((await startHandwritten({ secrets: [SECRET] }, defect)).url);
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    const fate = crowd(connections);
    if (fate === "reset") return socket.resetAndDestroy();
    if (fate === "busy") return socket.once("data", () => socket.end(BUSY));
    const onward = connect(Number(port), "127.0.0.1");
    onward.on("error", () => socket.destroy());
    return socket.pipe(onward).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/tools`;
}

const onlyFirst =
  (taken: number, fate: "reset" | "busy" = "reset"): Crowd =>
  (number) =>
    number <= CALLS + taken || number > CALLS + COPIES ? "pass" : fate;
/** None of the copies, and none of the first that are sent again. */
const noneTogether: Crowd = (number) => (number <= CALLS || number > CALLS + COPIES + 4 ? "pass" : "reset");
const dies: Crowd = (number) => (number <= CALLS ? "pass" : "reset");

it.each<[string, Crowd, Defect | undefined, string, RegExp]>([
  ["all are taken", onlyFirst(20), undefined, "pass", /^$/],
  [
    "some are reset",
    onlyFirst(8),
    undefined,
    "pass",
    /^12 of 20 copies got no response at first \(the server closed the connection without a response \(\w+\)\) and were sent again, as a gateway would: all of them then got a response$/,
  ],
  [
    "some are told that it is busy",
    onlyFirst(8, "busy"),
    undefined,
    "pass",
    /^12 of 20 copies .*responded with 503.*all of them then got a response$/,
  ],
  ["few are taken", onlyFirst(3), undefined, "not-judged", /^only 3 of 20 copies got a response .*request_queue_size/],
  ["one is taken", onlyFirst(1), undefined, "not-judged", /^only 1 of 20 copies got a response/],
  [
    "none is answered, nor when they come again",
    noneTogether,
    undefined,
    "not-judged",
    /^20 of 20 copies got no response at first .*: 0 of them then got a response; the server accepts too few concurrent connections/,
  ],
  [
    "none is answered, nor anything after them",
    dies,
    undefined,
    "fail",
    /^20 of 20 copies .*; after that, a genuine call failed: it closed the connection/,
  ],
  [
    "some are reset by a handler that runs twice",
    onlyFirst(8),
    "remembered after the run",
    "fail",
    /^\d+ of 19 duplicates got a different response from the first: .*; 12 of 20 copies got no response at first/,
  ],
  [
    "some are reset by a handler that fails under load",
    onlyFirst(12),
    "500 for everything under load",
    "fail",
    /did not get the response of a genuine call: it responded with 500/,
  ],
])("of 20 copies at once %s", async (_name, crowd, defect, outcome, words) => {
  const url = await startBehind(crowd, defect);
  const args = [
    "conformance",
    url,
    "--tool",
    "ping",
    "--only",
    "duplicates-at-once",
    "--answer-timeout",
    "2",
    "--json",
  ];
  const { stdout } = await runCheck(args, { env: { YAGATE_SIGNING_SECRET: SECRET } });
  const [found] = JSON.parse(stdout).cases;
  expect(found).toMatchObject({ outcome });
  expect(found.reason ?? found.remark ?? "").toMatch(words);
});
