import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Agent, UpdateAgent } from "@yagate/protocol";
import { useState } from "react";
import { agentsQuery, listVersions, updateAgent } from "../../api/agents.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { LineDiff } from "../../parts/line-diff.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Line, Lines, Section } from "../../parts/section.tsx";
import css from "./agents.module.css";
import { definitionOf } from "./definition.ts";

/** The versions of an agent, what each changed, and the way back to one. */
export function VersionsTab({ agent }: { readonly agent: Agent }) {
  const versions = useQuery({
    queryKey: ["agent", agent.id, "versions", agent.version],
    queryFn: ({ signal }) => listVersions(agent.id, signal),
  });
  const [chosen, setChosen] = useState(agent.version);
  return (
    <Loaded query={versions} label="versions">
      {(list) => {
        const version = list.find((each) => each.version === chosen) ?? list[0];
        const before = list.find((each) => version !== undefined && each.version < version.version);
        return (
          <div className={css["versions"]}>
            <Section title="Versions">
              <Lines>
                {list.map(({ version: number, updatedAt }) => (
                  <Line key={number} end={<Clock at={updatedAt} isAlone />}>
                    <Button
                      look="quiet"
                      isSmall
                      aria-pressed={number === version?.version}
                      onClick={() => setChosen(number)}
                    >
                      Version {number}
                      {number === agent.version && ", current"}
                    </Button>
                  </Line>
                ))}
              </Lines>
            </Section>
            {version !== undefined && (
              <Section
                title={before === undefined ? `Version ${version.version}` : `Changes in version ${version.version}`}
                actions={version.version !== agent.version && <Revert agent={agent} to={version} />}
              >
                <LineDiff
                  label="What changed"
                  before={before === undefined ? null : definitionOf(before)}
                  after={definitionOf(version)}
                />
              </Section>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function Revert({ agent, to }: { readonly agent: Agent; readonly to: Agent }) {
  const queries = useQueryClient();
  const revert = useMutation({
    mutationFn: () => updateAgent(agent.id, { ...(definitionOf(to) as UpdateAgent), version: agent.version }),
    onSuccess: async (saved) => {
      queries.setQueryData(["agent", agent.id], saved);
      await queries.invalidateQueries({ queryKey: agentsQuery.queryKey });
    },
  });
  return (
    <>
      <Button disabled={revert.isPending} onClick={() => revert.mutate()}>
        Save as version {agent.version + 1}
      </Button>
      {revert.isError && <ErrorBlock error={revert.error} />}
    </>
  );
}
