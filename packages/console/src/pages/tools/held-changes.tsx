import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ToolChange, ToolSource } from "@yagate/protocol";
import { acceptTools, listChanges, revokeTools } from "../../api/tools.ts";
import { ErrorBlock, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { LineDiff } from "../../parts/line-diff.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatCount } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import { StatusTag, UntrustedTag } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import css from "./tools.module.css";

const WORDS: Readonly<Record<string, string>> = { new: "New", changed: "Changed", removed: "Removed" };

/**
 * The definitions that the source publishes and no person has accepted, each as a comparison. Each is accepted
 * separately.
 */
export function HeldChanges({ source }: { readonly source: ToolSource }) {
  const changes = useQuery({
    queryKey: ["changes", source.id, source.generation, source.syncedAt],
    queryFn: ({ signal }) => listChanges(source.id, signal),
  });
  if (changes.data?.length === 0) return null;
  return (
    <Section title="Held changes" note={changes.data === undefined ? "" : `${formatCount(changes.data.length)} wait`}>
      <Loaded query={changes} label="changes">
        {(rows) => (
          <div className={css["changes"]}>
            {rows.map((change) => (
              <Change key={change.name} source={source} change={change} />
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Change({ source, change }: { readonly source: ToolSource; readonly change: ToolChange }) {
  const { name, toolName, state, hash, before, after, isLaxer, conflict, isGeneratorChanged } = change;
  const queries = useQueryClient();
  const onSuccess = async (saved: ToolSource) => {
    queries.setQueryData(["source", source.id], saved);
    await queries.invalidateQueries({ queryKey: ["source", source.id] });
    await queries.invalidateQueries({ queryKey: ["changes", source.id] });
  };
  const decide = useMutation({
    // The hash says which definition was read here: another one, published meanwhile, is not accepted.
    mutationFn: () =>
      hash === null ? revokeTools(source.id, [name]) : acceptTools(source.id, { tools: [{ name, hash }] }),
    onSuccess,
  });
  return (
    <article className={css["change"]} aria-label={toLine(toolName, 100)}>
      <div className={css["changeHead"]}>
        <h3 className={text["mono"]}>{toLine(toolName, 100)}</h3>
        <StatusTag kind="waiting">{WORDS[state] ?? state}</StatusTag>
        <UntrustedTag />
        {isLaxer && <StatusTag kind="failed">Claims less risk than before</StatusTag>}
      </div>
      {isGeneratorChanged && (
        <Notice icon="clock">A different generator produced the schema, so it may differ only in form.</Notice>
      )}
      {conflict !== null && (
        <Notice icon="warning">
          <code>{conflict.code}</code> <VisibleText text={conflict.message} />
        </Notice>
      )}
      <LineDiff label={`Definition of ${toLine(toolName, 100)}`} before={before} after={after} />
      {decide.isError && <ErrorBlock error={decide.error} />}
      <div className={controls["actions"]}>
        <Button disabled={decide.isPending} onClick={() => decide.mutate()}>
          {hash === null ? "Revoke removed tool" : "Accept definition"}
        </Button>
      </div>
    </article>
  );
}
