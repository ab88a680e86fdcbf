// Usage: node egress-guard.mjs Sends through the guard to a server on loopback, and is refused what nobody opened.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createDestinationCheck, createEgressGuard, EgressError, explainEgress } from "@yagate/gateway/egress";

const server = createServer((_request, response) => response.end("answered")).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/`;
const options = { method: "GET", url, headers: {}, timeoutMs: 10_000, maxResponseBytes: 1_000 };

const open = createEgressGuard({ allowCidrs: ["127.0.0.0/8"] });
const { status, body } = await open.request(options);
assert.equal(`${status} ${new TextDecoder().decode(body)}`, "200 answered");
assert.equal(await (await open.fetch(url)).text(), "answered");
await open.close();

const closed = createEgressGuard();
await assert.rejects(closed.request(options), (error) => error instanceof EgressError && error.code === "URL_BLOCKED");
assert.deepEqual(await closed.check(url), { allowed: false, code: "URL_BLOCKED", reason: "the url must be https" });
assert.equal((await explainEgress({}, "https://10.0.0.1/")).addresses[0].why, "in 10.0.0.0/8, Private-Use");
assert.throws(() => createDestinationCheck([{ allowedDomains: ["a.test"] }]).check("https://b.test/"), {
  code: "URL_BLOCKED",
  message: "blocked: host b.test is not allowed; allowed: a.test",
});
await closed.close();
server.close();
process.stdout.write("guarded\n");
