import { field } from "../../verify/json-fields.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { failed, findingOf, notAsked, notJudged, PASS } from "../finding.ts";
import { acceptedFault, isSameAnswer, jsonOf, told } from "../judgements.ts";
import { newId, withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import { judgeRuns } from "../run-counter.ts";
import type { Exchange } from "../wire/exchange.ts";
import { DUPLICATES, judgeDuplicatesAtOnce } from "./duplicates-at-once.ts";

const KEEP =
  "store toolCallId from the body before the tool runs, and return the same response for every later call with that id";

/** Cases for the rule that one call runs once, despite retries, replays and copies. */
export const onceCases: readonly ConformanceCase[] = [
  {
    id: "replay",
    group: "once",
    level: "required",
    title: "returns the same bytes for a repeated call, and runs nothing",
    advice: KEEP,
    async run(probe) {
      const message = await probe.sign(probe.call());
      return judgeRuns(probe.counter, 1, async () => [await probe.send(message), await probe.send(message)]);
    },
  },
  {
    id: "retry",
    group: "once",
    level: "required",
    title: "returns the same response for another attempt of a call that has ended, and runs nothing",
    advice: `${KEEP}; attempt, timestamp and signature are new in each attempt`,
    async run(probe) {
      const call = probe.call();
      return judgeRuns(probe.counter, 1, async () => [
        await probe.sendCall(call),
        await probe.sendCall(probe.call({ toolCallId: call.toolCallId, attempt: 2 })),
      ]);
    },
  },
  {
    id: "duplicates-at-once",
    group: "once",
    level: "required",
    title: `runs ${DUPLICATES} concurrent copies of one call only once`,
    advice:
      "claim the id before the tool runs, and let concurrent duplicates wait for that run: a check after the run is too late",
    run: judgeDuplicatesAtOnce,
  },
  {
    id: "replay-other-headers",
    group: "once",
    level: "required",
    title: "recognises a replay under another Idempotency-Key and webhook-id",
    advice:
      "take the id from the signed body: the signature covers no other header, so any intermediary can change them",
    async run(probe) {
      const message = await probe.sign(probe.call());
      const renamed = withIds(message, newId("tc"));
      return judgeRuns(probe.counter, 1, async () => [await probe.send(message), await probe.send(renamed)]);
    },
  },
  {
    id: "old-headers-new-call",
    group: "once",
    level: "required",
    title: "runs a new call, whatever its Idempotency-Key and webhook-id say",
    advice: "take the id from the signed body: otherwise a changed header selects the response",
    run: runUnderOldHeaders,
  },
  {
    id: "forged-first",
    group: "once",
    level: "required",
    title: "runs a genuine call after a forged one with the same id",
    advice: "verify before you store the id: a forged call must leave no trace",
    async run(probe) {
      const call = probe.call();
      const forged = withHeader(await probe.sign(call), "x-ya-signature", `sha256=${"0".repeat(64)}`);
      await probe.send(forged);
      return findingOf(acceptedFault(await probe.sendCall(call)));
    },
  },
  {
    id: "same-id-other-parameters",
    group: "once",
    level: "recommended",
    title: "responds with 409 when an id arrives again with different arguments, and runs nothing",
    advice:
      "store a fingerprint of the name and the arguments with the id, and reject a call with a different fingerprint as CALL_CONFLICT",
    async run(probe) {
      const call = probe.call();
      await probe.sendCall(call);
      const parameters = { ...probe.settings.parameters, conformance: "changed" };
      const exchange = await probe.sendCall({ ...call, parameters });
      if (exchange.kind === "answer" && exchange.status === 409) return PASS;
      return failed(`it ${told(exchange)}; expected 409 CALL_CONFLICT`);
    },
  },
  {
    id: "retry-after-failure",
    group: "once",
    level: "required",
    title: "runs again after a retryable failure",
    advice: "delete the id when a run fails with a retryable error: otherwise no retry can succeed",
    run: runFlaky,
  },
];

function withIds<M extends Parameters<typeof withHeader>[0]>(message: M, id: string): M {
  return withHeader(withHeader(message, "idempotency-key", id), "webhook-id", id);
}

async function runUnderOldHeaders(probe: Probe) {
  const { counter } = probe;
  const before = await counter.read?.();
  const old = probe.call();
  const first = await probe.sendCall(old);
  const second = await probe.send(withIds(await probe.sign(probe.call()), old.toolCallId));
  const after = await counter.read?.();
  const fault = acceptedFault(second);
  if (fault !== undefined) return failed(fault);
  if (before !== undefined && after !== undefined) {
    return findingOf(after - before === 2 ? undefined : `the tool ran ${after - before} times for two calls`);
  }
  if (!counter.isResultUnique) return notJudged("every run of this tool gives the same result: see the case replay");
  return findingOf(isSameAnswer(first, second) ? "the new call got the response of the old one" : undefined);
}

async function runFlaky(probe: Probe) {
  const { flaky } = probe.settings;
  if (flaky === undefined)
    return notAsked("--flaky-tool is missing: a tool that fails with retryable: true on its first attempt");
  const call = probe.call({ name: flaky.tool, parameters: flaky.parameters });
  const first = await probe.sendCall(call);
  if (!isRetryable(first))
    return failed(`the first attempt of ${flaky.tool} ${told(first)}; expected an error with retryable: true, or 5xx`);
  const { toolCallId, name, parameters } = call;
  const second = await probe.sendCall(probe.call({ toolCallId, name, parameters, attempt: 2 }));
  if (second.kind === "answer" && field(jsonOf(second), "result") !== undefined) return PASS;
  return failed(`the second attempt ${told(second)} without a result: the tool did not run again`);
}

function isRetryable(exchange: Exchange): boolean {
  if (exchange.kind !== "answer") return false;
  return exchange.status >= 500 || field(field(jsonOf(exchange), "error"), "retryable") === true;
}
