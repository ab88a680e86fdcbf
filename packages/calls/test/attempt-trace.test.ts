import { expect, it } from "vitest";
import { attemptTrace } from "../src/attempt-trace.ts";

const CALL = { executionId: "exec_01", toolCallId: "tc_01", attempt: 1 };
const CALLER = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", tracestate: "shop=1" };

const partsOf = ({ traceparent }: { readonly traceparent: string }) => traceparent.split("-");

it("the attempts of an execution without a caller's trace share one, each with a span of its own", () => {
  const [version, trace, span, flags] = partsOf(attemptTrace(CALL, true));
  expect([version, flags]).toEqual(["00", "01"]);
  expect(trace).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  expect(span).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
  const [, sameTrace, otherSpan] = partsOf(attemptTrace({ ...CALL, attempt: 2 }, true));
  expect(sameTrace).toBe(trace);
  expect(otherSpan).not.toBe(span);
  expect(partsOf(attemptTrace({ ...CALL, executionId: "exec_02" }, true))[1]).not.toBe(trace);
  expect(attemptTrace(CALL, false)).toEqual(attemptTrace(CALL, true));
});

it("an attempt continues its caller's trace: with its own span if spans are recorded, otherwise with the caller's", () => {
  const [, , span] = partsOf(attemptTrace(CALL, true));
  expect(attemptTrace({ ...CALL, trace: CALLER }, true)).toEqual({
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${span}-00`,
    tracestate: "shop=1",
  });
  expect(attemptTrace({ ...CALL, trace: CALLER }, false)).toEqual(CALLER);
});

it("a caller's trace that can't be parsed counts as none", () => {
  expect(attemptTrace({ ...CALL, trace: { traceparent: "00-0-0-0" } }, true)).toEqual(attemptTrace(CALL, true));
});
