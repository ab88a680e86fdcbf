import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { getAgent } from "../../api/agents.ts";
import { useLive } from "../../live/live.ts";
import { LiveMark } from "../../parts/blocks.tsx";
import controls from "../../parts/controls.module.css";
import { Loaded } from "../../parts/loaded.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { AgentEditor } from "./agent-editor.tsx";
import css from "./agents.module.css";
import { definitionOf } from "./definition.ts";

const CRUMB = { path: "/agents", name: "Agents" };
const FORMS = [
  ["form", "Form"],
  ["json", "JSON"],
] as const;

/** Makes an agent, from nothing or from a copy of another. */
export function NewAgentPage() {
  const { from, tab } = useSearch({ from: "/agents/new" });
  const original = useQuery({
    queryKey: ["agents", "original", from ?? ""],
    queryFn: async ({ signal }) => (from === undefined ? null : getAgent(from, signal)),
  });
  const live = useLive(() => undefined);
  const form = tab === "json" ? "json" : "form";
  return (
    <>
      <PageHead
        title={from === undefined ? "New agent" : "Copy of an agent"}
        crumb={CRUMB}
        meta={<LiveMark state={live} />}
      />
      <nav className={css["tabs"]} aria-label="How to write it">
        <div className={controls["segments"]}>
          {FORMS.map(([name, word]) => (
            <Link
              key={name}
              to="/agents/new"
              search={{ from, tab: name === "form" ? undefined : name }}
              activeOptions={{ exact: true }}
              aria-current={name === form ? "page" : undefined}
            >
              {word}
            </Link>
          ))}
        </div>
      </nav>
      <Loaded query={original} label="the agent">
        {(agent) => (
          <AgentEditor
            key={form}
            form={form}
            {...(agent === null ? {} : { start: { ...definitionOf(agent), name: `${agent.name} copy` } })}
          />
        )}
      </Loaded>
    </>
  );
}
