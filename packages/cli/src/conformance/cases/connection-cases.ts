import { elapsed } from "../../text/duration.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { failed, findingOf, notJudged, PASS } from "../finding.ts";
import { acceptedFault, refusedFault } from "../judgements.ts";
import { withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import { methodCases } from "./method-cases.ts";

const ABORTED_CLIENTS = 10;
/**
 * Number of clients that disconnect at the same time. It is small enough for any connection queue: if there were more
 * clients, the operating system would refuse connections, and the case would test nothing.
 */
const ABORTED_TOGETHER = 4;
const DRIP_PAUSE_MS = 100;
/** Number of bytes to send slowly: so many that the body is still incomplete at the time limit. */
const DRIP_BYTES = 65_536;

/** Cases with misbehaving connections, unusual headers and other HTTP versions. */
export const connectionCases: readonly ConformanceCase[] = [
  {
    id: "slow-body-others",
    group: "http",
    level: "required",
    title: "responds to other clients while one sends a body slowly",
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
    title: "ends a connection whose body never completes",
    advice:
      "limit the time of a complete request: in Node requestTimeout and connectionsCheckingInterval of createServer; in Fastify requestTimeout, and headersTimeout and connectionsCheckingInterval under http; elsewhere a proxy that buffers complete bodies, such as nginx",
    async run(probe) {
      const { slowBodyMs, isSlowBodyJudged } = probe.settings;
      const exchange = await drip(probe, slowBodyMs);
      if (exchange.kind !== "silent") return PASS;
      const still = `it was still reading after ${elapsed(slowBodyMs)}`;
      if (isSlowBodyJudged) return failed(still);
      return notJudged(
        `${still}; servers often time out only after minutes: set --slow-body <seconds> to wait that long and get a verdict`,
      );
    },
  },
  {
    id: "aborted-clients",
    group: "http",
    level: "required",
    title: `continues to respond after ${ABORTED_CLIENTS} clients disconnect in the middle of a body`,
    advice: "handle disconnects while you read: an error event without a listener ends the process",
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
    title: "rejects two X-YA-Signature lines that are both wrong",
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
    title: "treats two X-YA-Signature lines as one list",
    advice: "join several lines with a comma, as in RFC 9110",
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
    advice: "let the server respond with 100, or ignore the header",
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
    advice: "some proxies still use it: respond with a length or close the connection",
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

/**
 * Sends a body slowly, byte by byte.
 *
 * @param events - when to stop, and a callback for the start.
 */
async function drip(probe: Probe, forMs: number, events: { until?: Promise<unknown>; onStarted?: () => void } = {}) {
  const message = await probe.signBody(Buffer.alloc(DRIP_BYTES, " "));
  return probe.send({ ...message, sending: { kind: "slow", pauseMs: DRIP_PAUSE_MS, ...events } }, forMs);
}
