import { gzipSync } from "node:zlib";
import type { ConformanceCase } from "../conformance-case.ts";
import { failed, findingOf } from "../finding.ts";
import { refusedFault, serverFault, told } from "../judgements.ts";
import { encode, signAny, withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import type { Exchange, Sending } from "../wire/exchange.ts";

/** Far past the 1 MiB of a call: a handler may have a higher limit, and must have one. */
export const OVERSIZE_BYTES = 8_388_608;
const ANNOUNCED_BYTES = 1_073_741_824;
const NESTING = 100_000;

/** Bodies that no gateway sends, and a stranger may. */
export const bodyCases: readonly ConformanceCase[] = [
  {
    id: "malformed-json",
    group: "bodies",
    level: "required",
    title: "refuses a signed body that is no JSON, with 4xx",
    advice: "catch what JSON.parse throws, and answer 400: a 5xx is sent again",
    async run(probe) {
      return findingOf(
        refusedFault(await probe.send(await probe.signBody(Buffer.from(`{"toolCallId":"${probe.canary}`)))),
      );
    },
  },
  {
    id: "malformed-json-unsigned",
    group: "bodies",
    level: "required",
    title: "refuses a body that is no JSON and not signed, with 4xx",
    advice: "verify the signature before you parse, and answer 401: a stranger must not cause a 5xx",
    async run(probe) {
      const signed = await probe.signBody(Buffer.from(`{"toolCallId":"${probe.canary}`));
      return findingOf(refusedFault(await probe.send(withHeader(signed, "x-ya-signature", undefined))));
    },
  },
  {
    id: "deep-nesting",
    group: "bodies",
    level: "required",
    title: "survives parameters that are nested 100 000 levels deep",
    advice: "catch the overflow of the stack that parsing or walking such a value may cause",
    async run(probe) {
      const nested = `${"[".repeat(NESTING)}${"]".repeat(NESTING)}`;
      const body = encode(probe.call({ parameters: { ...probe.settings.parameters, conformance: "NESTED" } }));
      const exchange = await probe.send(await probe.signBody(Buffer.from(body.toString().replace('"NESTED"', nested))));
      if (exchange.kind !== "answer") return failed(`it ${told(exchange)}`);
      return findingOf(await probe.faultNow());
    },
  },
  {
    id: "prototype-keys",
    group: "bodies",
    level: "required",
    title: "survives parameters named __proto__ and constructor",
    advice: "never copy members of parsed JSON onto other objects by name",
    async run(probe) {
      const text = encode(probe.call({ parameters: { conformance: "KEYS", ...probe.settings.parameters } })).toString();
      const keys = '"__proto__":{"isAdmin":true,"toJSON":1},"constructor":{"prototype":{"isAdmin":true}}';
      const body = Buffer.from(text.replace('"conformance":"KEYS"', keys));
      const fault = serverFault(await probe.send(await probe.signBody(body)));
      return findingOf(fault ?? (await probe.faultNow()));
    },
  },
  {
    id: "oversize",
    group: "bodies",
    level: "required",
    title: "does not take a body of 8 MiB, signed or not",
    advice: "stop reading at 1 MiB, and answer 413: without a limit a stranger fills the memory",
    run: (probe) => sendOversize(probe, undefined),
  },
  {
    id: "oversize-chunked",
    group: "bodies",
    level: "required",
    title: "does not take a body of 8 MiB that comes in chunks, without its length",
    advice: "count the bytes while you read: Content-Length may be absent",
    run: (probe) => sendOversize(probe, { kind: "chunked" }),
  },
  {
    id: "oversize-announced",
    group: "bodies",
    level: "recommended",
    title: "does not wait for a body of 1 GiB that Content-Length announces",
    advice: "look at Content-Length first, and answer 413 at once",
    async run(probe) {
      const message = await probe.sign(probe.call());
      const exchange = await probe.send({ ...message, sending: { kind: "announced", contentLength: ANNOUNCED_BYTES } });
      return findingOf(exchange.kind === "silent" ? `it ${told(exchange)}` : oversizeFault(exchange));
    },
  },
  {
    id: "compressed",
    group: "bodies",
    level: "recommended",
    title: "refuses a body with Content-Encoding: gzip",
    advice: "the signature covers the bytes as sent, which are never compressed: don't inflate",
    async run(probe) {
      return findingOf(refusedFault(await sendCompressed(probe, encode(probe.call()))));
    },
  },
  {
    id: "compressed-oversize",
    group: "bodies",
    level: "required",
    title: "does not inflate 8 KiB to a body of 8 MiB",
    advice: "don't inflate, or count the bytes that come out",
    async run(probe) {
      return findingOf(oversizeFault(await sendCompressed(probe, oversizeBody(probe))));
    },
  },
  {
    id: "content-type",
    group: "bodies",
    level: "recommended",
    title: "does not fail over Content-Type: text/plain",
    advice: "read the bytes whatever their type says, or answer 415",
    async run(probe) {
      return findingOf(
        serverFault(await probe.send(withHeader(await probe.sign(probe.call()), "content-type", "text/plain"))),
      );
    },
  },
];

/** A genuine call and blanks: a handler without a limit runs it. */
function oversizeBody(probe: Probe): Buffer {
  const call = encode(probe.call());
  return Buffer.concat([call, Buffer.alloc(OVERSIZE_BYTES - call.length, " ")]);
}

async function sendOversize(probe: Probe, sending: Sending | undefined) {
  const message = await probe.signBody(oversizeBody(probe));
  return findingOf(oversizeFault(await probe.send({ ...message, sending })));
}

/** Hanging up in the middle is a refusal too. */
function oversizeFault(exchange: Exchange): string | undefined {
  if (exchange.kind === "closed") return undefined;
  return refusedFault(exchange);
}

async function sendCompressed(probe: Probe, body: Buffer): Promise<Exchange> {
  const message = await probe.signBody(gzipSync(body));
  // Over the inflated bytes: who inflates first would take it for genuine.
  const signed = withHeader(message, "x-ya-signature", await signAny(body, probe.settings.secret));
  return probe.send(withHeader(signed, "content-encoding", "gzip"));
}
