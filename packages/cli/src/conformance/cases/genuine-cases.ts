import type { ConformanceCase } from "../conformance-case.ts";
import { findingOf } from "../finding.ts";
import { acceptedFault } from "../judgements.ts";

const CLOCK_AHEAD_MS = 5_000;

/** Calls from a gateway that a handler must accept, in addition to the vectors. */
export const genuineCases: readonly ConformanceCase[] = [
  {
    id: "clock-ahead",
    group: "genuine",
    level: "required",
    title: "accepts a call from a clock that is 5 s ahead",
    advice: "compare |now - timestamp| with the tolerance: clocks differ in both directions",
    async run(probe) {
      const nowMs = probe.settings.now() + CLOCK_AHEAD_MS;
      const timestamp = new Date(nowMs).toISOString();
      const deadline = new Date(nowMs + 10_000).toISOString();
      return findingOf(acceptedFault(await probe.sendCall(probe.call({ timestamp, deadline }))));
    },
  },
  {
    id: "optional-fields-missing",
    group: "genuine",
    level: "required",
    title: "accepts a call without caller and schemaHash",
    advice: "require only toolCallId, agentId, executionId, name, parameters, attempt, timestamp and deadline",
    async run(probe) {
      return findingOf(acceptedFault(await probe.sendCall(probe.call({ caller: undefined }))));
    },
  },
];
