import { isJsonObject } from "@yagate/lib/json/json-object";
import type { Execution, ReceivedEvent } from "@yagate/protocol";
import { classes } from "../../parts/classes.ts";
import { formatCost, formatCostLimit, formatCount, formatDuration } from "../../parts/numbers.ts";
import css from "./execution.module.css";

interface Meter {
  readonly name: string;
  readonly used: number;
  readonly limit: number | undefined;
  readonly format: (value: number) => string;
}

/** Past this part of a limit, a meter warns. */
const NEAR = 0.8;

function limitOf(events: readonly ReceivedEvent[], name: string): number | undefined {
  const [started] = events;
  const limits: unknown = started?.type === "execution.started" ? started.limits : undefined;
  const value = isJsonObject(limits) ? Reflect.get(limits, name) : undefined;
  return typeof value === "number" ? value : undefined;
}

interface LimitMetersProps {
  readonly execution: Execution;
  readonly events: readonly ReceivedEvent[];
  readonly tookMs: number;
}

/** What the execution used of its limits. */
export function LimitMeters({ execution: { usage, cost }, events, tookMs }: LimitMetersProps) {
  const turns = events.filter(({ type }) => type === "model.responded").length;
  const meters: readonly Meter[] = [
    { name: "Turns", used: turns, limit: limitOf(events, "maxToolIterations"), format: formatCount },
    { name: "Running time", used: tookMs, limit: limitOf(events, "maxWallTimeMs"), format: formatDuration },
    { name: "Tool calls", used: usage.toolCalls, limit: undefined, format: formatCount },
    {
      name: "Total tokens",
      used: usage.inputTokens + usage.outputTokens,
      limit: limitOf(events, "maxTotalTokens"),
      format: formatCount,
    },
    { name: "Cost", used: cost.usd, limit: limitOf(events, "maxCostUsd"), format: formatCost },
  ];
  return (
    <dl className={css["limits"]}>
      {meters.map(({ name, used, limit, format }) => {
        const part = limit === undefined || limit === 0 ? undefined : used / limit;
        return (
          <div key={name} className={css["limit"]}>
            <dt>{name}</dt>
            <dd>
              <span>
                <b>{format(used)}</b>
                {limit === undefined ? "" : ` of ${name === "Cost" ? formatCostLimit(limit) : format(limit)}`}
              </span>
              {part !== undefined && (
                <svg
                  className={classes(css["meter"], part >= 1 ? css["over"] : part >= NEAR && css["near"])}
                  aria-hidden="true"
                  focusable="false"
                >
                  <rect width={`${Math.min(100, part * 100)}%`} height="4" />
                </svg>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
