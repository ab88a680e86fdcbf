import type { Sampler } from "@opentelemetry/sdk-trace";

type Samplers = Pick<
  typeof import("@opentelemetry/sdk-trace"),
  "AlwaysOffSampler" | "AlwaysOnSampler" | "ParentBasedSampler" | "TraceIdRatioBasedSampler"
>;

/** The values of `OTEL_TRACES_SAMPLER` that need no argument except a number. */
const NAMES = ["always_on", "always_off", "traceidratio"] as const;
const PARENT_BASED = "parentbased_";

/**
 * Returns the sampler that the environment sets. Default: `parentbased_always_on`, which applies the caller's decision
 * and records requests without one.
 *
 * @param warn - called for invalid values; the default is used then.
 */
export function tracesSampler(
  { OTEL_TRACES_SAMPLER: given = "", OTEL_TRACES_SAMPLER_ARG: argument }: Readonly<Record<string, string | undefined>>,
  { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler }: Samplers,
  warn: (problem: string) => void,
): Sampler {
  const asked = given.trim().toLowerCase() || `${PARENT_BASED}always_on`;
  const isParentBased = asked.startsWith(PARENT_BASED);
  const name = NAMES.find((known) => known === (isParentBased ? asked.slice(PARENT_BASED.length) : asked));
  if (name === undefined) {
    warn("OTEL_TRACES_SAMPLER: unknown sampler; all traces without a decision by the caller are recorded");
    return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio(argument, warn)),
  }[name]();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function ratio(text: string | undefined, warn: (problem: string) => void): number {
  if (text === undefined || text.trim() === "") return 1;
  const value = Number(text);
  if (value >= 0 && value <= 1) return value;
  warn("OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1; 1 is used");
  return 1;
}
