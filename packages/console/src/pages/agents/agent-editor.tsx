import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { Agent, CreateAgent, UpdateAgent } from "@yagate/protocol";
import { type FormEvent, useState } from "react";
import { agentsQuery, createAgent, updateAgent } from "../../api/agents.ts";
import { ApiError } from "../../api/api-error.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { LineDiff } from "../../parts/line-diff.tsx";
import { parseJson } from "../../parts/parse-json.ts";
import { Section } from "../../parts/section.tsx";
import { TextArea } from "../../parts/text-field.tsx";
import { AgentForm } from "./agent-form.tsx";
import css from "./agents.module.css";
import { type Definition, definitionOf, EMPTY_DEFINITION } from "./definition.ts";
import { Findings } from "./findings.tsx";

interface AgentEditorProps {
  /** The agent that is changed; absent for a new one. */
  readonly agent?: Agent;
  /** What a new agent starts with. */
  readonly start?: Definition;
  readonly form: "form" | "json";
}

function parseDefinition(text: string): Definition {
  const value = parseJson(text, "The definition");
  if (isJsonObject(value)) return value;
  throw new ApiError({ code: "MALFORMED_JSON", message: "The definition must be a JSON object.", status: 0 });
}

/** Changes an agent, in a form or as JSON. Saving makes a new version; what is refused is said at its field. */
export function AgentEditor({ agent, start, form }: AgentEditorProps) {
  const saved = agent === undefined ? (start ?? EMPTY_DEFINITION) : definitionOf(agent);
  const [definition, setDefinition] = useState(saved);
  const [written, setWritten] = useState(() => JSON.stringify(saved, null, 2));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => {
      // The gateway checks the definition and names each field that it refuses.
      const body = form === "json" ? parseDefinition(written) : definition;
      return agent === undefined
        ? createAgent(body as CreateAgent)
        : updateAgent(agent.id, { ...(body as UpdateAgent), version: agent.version });
    },
    onSuccess: async (result) => {
      queries.setQueryData(["agent", result.id], result);
      await queries.invalidateQueries({ queryKey: agentsQuery.queryKey });
      if (agent === undefined) await navigate({ to: "/agents/$id", params: { id: result.id }, search: {} });
    },
  });
  const isChanged = form === "json" ? written !== JSON.stringify(saved, null, 2) : definition !== saved;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={css["editor"]} onSubmit={submit}>
      {form === "json" ? (
        <TextArea
          label="Definition as JSON"
          isCode
          rows={Math.min(40, written.split("\n").length + 2)}
          value={written}
          onChange={setWritten}
        />
      ) : (
        <AgentForm definition={definition} onChange={setDefinition} />
      )}
      {save.isError && <ErrorBlock error={save.error} />}
      {save.isError && <Findings error={save.error} />}
      {agent?.warnings !== undefined && agent.warnings.length > 0 && <Findings warnings={agent.warnings} />}
      {agent !== undefined && isChanged && form === "form" && (
        <Section title="What changes">
          <LineDiff label="What changes" before={saved} after={definition} />
        </Section>
      )}
      <div className={controls["actions"]}>
        <Button look="primary" type="submit" disabled={save.isPending || (agent !== undefined && !isChanged)}>
          {agent === undefined ? "Create agent" : `Save version ${agent.version + 1}`}
        </Button>
      </div>
    </form>
  );
}
