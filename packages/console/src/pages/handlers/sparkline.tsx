import { HiddenText } from "../../parts/hidden-text.tsx";
import { formatCount } from "../../parts/numbers.ts";
import type { HandlerTraffic } from "./handler-traffic.ts";
import css from "./handlers.module.css";

const HEIGHT = 20;
const BAR = 4;
const GAP = 1;

/** One bar for each hour of a day; its upper part is what failed. */
export function Sparkline({ traffic: { hours, attempts, failures } }: { readonly traffic: HandlerTraffic }) {
  const most = Math.max(1, ...hours.map((hour) => hour.attempts));
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(1.5, (value / most) * HEIGHT));
  return (
    <>
      <svg
        className={css["spark"]}
        width={hours.length * (BAR + GAP)}
        height={HEIGHT}
        aria-hidden="true"
        focusable="false"
      >
        {hours.map((hour, index) => {
          const whole = heightOf(hour.attempts);
          const failed = Math.min(whole, heightOf(hour.failures));
          const x = index * (BAR + GAP);
          return (
            <g key={index}>
              <rect className={css["answered"]} x={x} y={HEIGHT - whole} width={BAR} height={whole} />
              <rect className={css["failed"]} x={x} y={HEIGHT - whole} width={BAR} height={failed} />
            </g>
          );
        })}
      </svg>
      <HiddenText>
        {formatCount(attempts - failures)} of {formatCount(attempts)} attempts answered
      </HiddenText>
    </>
  );
}
