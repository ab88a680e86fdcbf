import type { ConformanceCase } from "../conformance-case.ts";
import { failed, findingOf, notJudged, PASS } from "../finding.ts";
import { acceptedFault, refusedFault, seconds } from "../judgements.ts";
import { withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import { methodCases } from "./method-cases.ts";

const ABORTED_CLIENTS = 10;
/** More at once than a server lets wait would be refused by its system, and show nothing. */
const ABORTED_TOGETHER = 4;
const DRIP_PAUSE_MS = 100;
/** Enough dots that no handler has the whole body before the time is over. */
const DRIP_BYTES = 65_536;

/** Connections that misbehave, and methods and versions of HTTP. */
export const connectionCases: readonly ConformanceCase[] = [
  {
    id: "slow-body-others",
    group: "http",
    level: "required",
    title: "answers others while a body trickles in",
    advice: "read bodies without blocking: one slow client must not stop the others",
    async run(probe) {
      const started = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const whole = probe.settings.answerTimeoutMs * 2;
      const slow = drip(probe, whole, { until: gate.promise, onStarted: started.resolve });
      await Promise.race([started.promise, slow]);
      const fault = acceptedFault(await probe.sendCall(probe.call()));
      gate.resolve();
      await slow;
      return findingOf(fault === undefined ? undefined : `while one client was slow, ${fault}`);
    },
  },
  {
    id: "slow-body-cut",
    group: "http",
    level: "recommended",
    title: "ends a connection whose body never comes to its end",
    advice:
      "bound the time of a whole request: in Node requestTimeout and connectionsCheckingInterval of createServer; in Fastify requestTimeout, and headersTimeout and connectionsCheckingInterval under http; elsewhere a proxy that reads whole bodies first, as nginx does",
    async run(probe) {
      const { slowBodyMs, isSlowBodyJudged } = probe.settings;
      const exchange = await drip(probe, slowBodyMs);
      if (exchange.kind !== "silent") return PASS;
      const still = `it was still reading after ${seconds(slowBodyMs)}`;
      if (isSlowBodyJudged) return failed(still);
      return notJudged(`${still}; servers often cut after minutes: --slow-body <seconds> waits that long, and judges`);
    },
  },
  {
    id: "aborted-clients",
    group: "http",
    level: "required",
    title: `goes on after ${ABORTED_CLIENTS} clients that vanish within a body`,
    advice: "handle the end of a connection while you read: an error without a listener ends the process",
    async run(probe) {
      const abort = async () =>
        probe.send({ ...(await probe.sign(probe.call())), sending: { kind: "aborted", afterBytes: 40 } });
      for (let left = ABORTED_CLIENTS; left > 0; left -= ABORTED_TOGETHER) {
        await Promise.all(Array.from({ length: Math.min(left, ABORTED_TOGETHER) }, abort));
      }
      return findingOf(await probe.faultNow());
    },
  },
  ...methodCases,
  {
    id: "signature-twice-wrong",
    group: "http",
    level: "required",
    title: "refuses two lines of X-YA-Signature that are both wrong",
    advice: "treat several lines as one list",
    async run(probe) {
      const message = await probe.sign(probe.call());
      const wrong = ["x-ya-signature", `sha256=${"0".repeat(64)}`] as const;
      const { headers } = withHeader(message, "x-ya-signature", undefined);
      return findingOf(refusedFault(await probe.send({ ...message, headers: [...headers, wrong, wrong] })));
    },
  },
  {
    id: "signature-twice",
    group: "http",
    level: "recommended",
    title: "takes two lines of X-YA-Signature for one list",
    advice: "join several lines with a comma, as RFC 9110 says",
    async run(probe) {
      const message = await probe.sign(probe.call());
      const wrong = ["x-ya-signature", `sha256=${"0".repeat(64)}`] as const;
      return findingOf(acceptedFault(await probe.send({ ...message, headers: [wrong, ...message.headers] })));
    },
  },
  {
    id: "expect-continue",
    group: "http",
    level: "recommended",
    title: "accepts a call with Expect: 100-continue",
    advice: "let the server answer 100, or ignore the header",
    async run(probe) {
      return findingOf(
        acceptedFault(await probe.send(withHeader(await probe.sign(probe.call()), "expect", "100-continue"))),
      );
    },
  },
  {
    id: "http-1.0",
    group: "http",
    level: "recommended",
    title: "accepts a call over HTTP/1.0",
    advice: "some proxies still speak it: answer with a length or close the connection",
    async run(probe) {
      const { headers, body } = await probe.sign(probe.call());
      const { target } = probe.settings;
      const lines = [
        `POST ${target.pathname}${target.search} HTTP/1.0`,
        `host: ${target.host}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        `content-length: ${body.byteLength}`,
      ];
      return findingOf(acceptedFault(await probe.sendRaw(`${lines.join("\r\n")}\r\n\r\n${Buffer.from(body)}`)));
    },
  },
];

/** @param events - when to give up, and whom to tell that it has begun. */
async function drip(probe: Probe, forMs: number, events: { until?: Promise<unknown>; onStarted?: () => void } = {}) {
  const message = await probe.signBody(Buffer.alloc(DRIP_BYTES, " "));
  return probe.send({ ...message, sending: { kind: "slow", pauseMs: DRIP_PAUSE_MS, ...events } }, forMs);
}
