import { gzipSync } from "node:zlib";
import type { ConformanceCase } from "../conformance-case.ts";
import { failed, findingOf } from "../finding.ts";
import { refusedFault, serverFault, told } from "../judgements.ts";
import { encode, signAny, withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import type { Exchange, Sending } from "../wire/exchange.ts";

/**
 * Size of an oversized body, far above the 1 MiB limit of a call: a handler may have a higher limit, but it must have
 * one.
 */
export const OVERSIZE_BYTES = 8_388_608;
const ANNOUNCED_BYTES = 1_073_741_824;
const NESTING = 100_000;

/** Bodies that only an attacker would send. */
export const bodyCases: readonly ConformanceCase[] = [
  {
    id: "malformed-json",
    group: "bodies",
    level: "required",
    title: "rejects a signed body that is not JSON, with 4xx",
    advice: "catch errors of JSON.parse and respond with 400: after a 5xx the gateway sends the call again",
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
    title: "rejects an unsigned body that is not JSON, with 4xx",
    advice: "verify the signature before you parse, and respond with 401: unauthenticated clients must not cause a 5xx",
    async run(probe) {
      const signed = await probe.signBody(Buffer.from(`{"toolCallId":"${probe.canary}`));
      return findingOf(refusedFault(await probe.send(withHeader(signed, "x-ya-signature", undefined))));
    },
  },
  {
    id: "deep-nesting",
    group: "bodies",
    level: "required",
    title: "survives parameters that are nested 100,000 levels deep",
    advice: "catch the stack overflow that parsing or traversing such a value may cause",
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
    title: "rejects a body of 8 MiB, signed or not",
    advice: "stop reading at 1 MiB and respond with 413: without a limit, an attacker can exhaust the server's memory",
    run: (probe) => sendOversize(probe, undefined),
  },
  {
    id: "oversize-chunked",
    group: "bodies",
    level: "required",
    title: "rejects a chunked body of 8 MiB, which has no declared length",
    advice: "count the bytes while you read: Content-Length may be absent",
    run: (probe) => sendOversize(probe, { kind: "chunked" }),
  },
  {
    id: "oversize-announced",
    group: "bodies",
    level: "recommended",
    title: "does not wait for a body of 1 GiB that Content-Length announces",
    advice: "check Content-Length first and respond with 413 immediately",
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
    title: "rejects a body with Content-Encoding: gzip",
    advice: "the signature covers the bytes as sent, which are never compressed: do not decompress",
    async run(probe) {
      return findingOf(refusedFault(await sendCompressed(probe, encode(probe.call()))));
    },
  },
  {
    id: "compressed-oversize",
    group: "bodies",
    level: "required",
    title: "does not decompress 8 KiB to a body of 8 MiB",
    advice: "either do not decompress bodies, or limit their decompressed size",
    async run(probe) {
      return findingOf(oversizeFault(await sendCompressed(probe, oversizeBody(probe))));
    },
  },
  {
    id: "content-type",
    group: "bodies",
    level: "recommended",
    title: "does not fail because of Content-Type: text/plain",
    advice: "read the bytes whatever their type, or respond with 415",
    async run(probe) {
      return findingOf(
        serverFault(await probe.send(withHeader(await probe.sign(probe.call()), "content-type", "text/plain"))),
      );
    },
  },
];

/** Returns a genuine call followed by spaces, which a handler without a size limit runs. */
function oversizeBody(probe: Probe): Buffer {
  const call = encode(probe.call());
  return Buffer.concat([call, Buffer.alloc(OVERSIZE_BYTES - call.length, " ")]);
}

async function sendOversize(probe: Probe, sending: Sending | undefined) {
  const message = await probe.signBody(oversizeBody(probe));
  return findingOf(oversizeFault(await probe.send({ ...message, sending })));
}

/**
 * Returns the fault of the response to an oversized body. Closing the connection before the end of the body counts as a
 * rejection.
 */
function oversizeFault(exchange: Exchange): string | undefined {
  if (exchange.kind === "closed") return undefined;
  return refusedFault(exchange);
}

async function sendCompressed(probe: Probe, body: Buffer): Promise<Exchange> {
  const message = await probe.signBody(gzipSync(body));
  // The signature covers the decompressed bytes: a handler that decompresses first would accept it.
  const signed = withHeader(message, "x-ya-signature", await signAny(body, probe.settings.secret));
  return probe.send(withHeader(signed, "content-encoding", "gzip"));
}
