import type { ReceivedEvent } from "@yagate/protocol";
import { Facts } from "../../parts/blocks.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { NONE } from "../../parts/numbers.ts";
import { toLine } from "../../parts/visible-text.tsx";
import css from "./timeline.module.css";

interface RouteDetailProps {
  readonly seq: number;
  readonly events: readonly ReceivedEvent[];
}

/** Which capability serves each intent, and why not the others. */
export function RouteDetail({ seq, events }: RouteDetailProps) {
  const event = events.find((each) => each.seq === seq);
  if (event?.type !== "route.decided") return null;
  return (
    <>
      {event.intents.map(({ intent, tool, chosen, reason, visibility, candidates, refused }) => (
        <section key={intent} className={css["part"]}>
          <h3>{toLine(intent, 80)}</h3>
          <Facts
            rows={[
              ["Tool", <code key="tool">{toLine(tool, 80)}</code>],
              ["Served by", chosen === null ? "No capability can serve it" : <code key="chosen">{chosen}</code>],
              ["Part of the turn", `${reason}, ${visibility}`],
              ["Scores", scores(candidates)],
              ["Not possible", refusals(refused)],
            ]}
          />
        </section>
      ))}
      <section className={css["part"]}>
        <h3>Decision</h3>
        <JsonBlock label="Decision" value={event} />
      </section>
    </>
  );
}

function scores(candidates: readonly { readonly key: string; readonly score: number }[]): string {
  return candidates.length === 0 ? NONE : candidates.map(({ key, score }) => `${key} ${score}`).join(", ");
}

function refusals(refused: Readonly<Record<string, string>>): string {
  const rows = Object.entries(refused);
  return rows.length === 0 ? NONE : rows.map(([key, code]) => `${key}: ${code}`).join(", ");
}
