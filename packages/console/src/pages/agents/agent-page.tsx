import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Agent } from "@yagate/protocol";
import { useState } from "react";
import { agentsQuery, deleteAgent, getAgent } from "../../api/agents.ts";
import { useLive } from "../../live/live.ts";
import { LiveMark } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { shortId } from "../../parts/numbers.ts";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { AgentEditor } from "./agent-editor.tsx";
import css from "./agents.module.css";
import { definitionOf, toCode } from "./definition.ts";
import { TryIt } from "./try-it.tsx";
import { VersionsTab } from "./versions-tab.tsx";

const TABS = ["try", "edit", "json", "versions"] as const;
const WORDS = { try: "Try it", edit: "Form", json: "JSON", versions: "Versions" } as const;
const CRUMB = { path: "/agents", name: "Agents" };
const PACE_MS = 15_000;

/** One agent: try it, change it, and go back to an earlier version. */
export function AgentPage() {
  const { id } = useParams({ from: "/agents/$id" });
  const search = useSearch({ from: "/agents/$id" });
  const navigate = useNavigate();
  const agent = useQuery({ queryKey: ["agent", id], queryFn: ({ signal }) => getAgent(id, signal) });
  const live = useLive(() => void agent.refetch(), PACE_MS);
  const [isDeleting, setDeleting] = useState(false);
  const tab = TABS.find((name) => name === search["tab"]) ?? "try";
  const { data } = agent;
  return (
    <>
      <PageHead
        title={data === undefined ? "Agent" : toLine(data.name, 100)}
        crumb={CRUMB}
        meta={
          data !== undefined && (
            <>
              <span>Version {data.version}</span>
              <span className={text["mono"]}>{data.model}</span>
              <span className={text["idGroup"]}>
                <span className={text["id"]}>{shortId(id)}</span>
                <CopyButton text={id} label="Copy id" isIcon />
              </span>
              <span>
                saved <Clock at={data.updatedAt} isAlone />
              </span>
              <LiveMark state={live} />
              <Link to="/executions" search={{ agent: id }}>
                Executions
              </Link>
            </>
          )
        }
        actions={
          data !== undefined && (
            <>
              <Button onClick={() => setDeleting(true)}>Delete…</Button>
              <Button onClick={() => navigate({ to: "/agents/new", search: { from: id } })}>Duplicate</Button>
              <CopyMenu
                id={id}
                value={definitionOf(data)}
                command={`yagate agents show ${id}`}
                path={`v1/agents/${id}`}
              >
                <CopyButton text={() => toCode(definitionOf(data))} label="Copy as code" />
              </CopyMenu>
            </>
          )
        }
      />
      <Loaded query={agent} label="the agent">
        {(loaded) => (
          <>
            <nav className={css["tabs"]} aria-label="Views of the agent">
              {TABS.map((name) => (
                <Link
                  key={name}
                  to="/agents/$id"
                  params={{ id }}
                  search={{ tab: name === "try" ? undefined : name }}
                  activeOptions={{ exact: true }}
                  aria-current={name === tab ? "page" : undefined}
                >
                  {WORDS[name]}
                </Link>
              ))}
            </nav>
            {tab === "try" && <TryIt agent={loaded} />}
            {tab === "edit" && <AgentEditor key={`form-${loaded.version}`} agent={loaded} form="form" />}
            {tab === "json" && <AgentEditor key={`json-${loaded.version}`} agent={loaded} form="json" />}
            {tab === "versions" && <VersionsTab agent={loaded} />}
          </>
        )}
      </Loaded>
      {isDeleting && data !== undefined && <DeleteAgent agent={data} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteAgent({ agent, onClose }: { readonly agent: Agent; onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = async () => {
    await deleteAgent(agent.id);
    await queries.invalidateQueries({ queryKey: agentsQuery.queryKey });
    await navigate({ to: "/agents", search: {} });
  };
  return (
    <DeleteDialog noun="agent" name={agent.name} remove={remove} onClose={onClose}>
      It can no longer be executed. Running executions continue, and its records are kept.
    </DeleteDialog>
  );
}
