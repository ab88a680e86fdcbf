import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorBlock, Facts } from "../parts/blocks.tsx";
import { Button } from "../parts/button.tsx";
import { Clock } from "../parts/clock.tsx";
import controls from "../parts/controls.module.css";
import { Icon } from "../parts/icon.tsx";
import { Tag } from "../parts/status.tsx";
import { toLine } from "../parts/visible-text.tsx";
import { isOfSession, keyName, type Session, sessionQuery, signOut } from "../session/session.ts";
import css from "./shell.module.css";

/** Who is signed in, what the key allows, and the way out. */
export function SessionMenu({ session }: { readonly session: Session }) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: signOut,
    async onSuccess() {
      await queries.resetQueries({ queryKey: sessionQuery.queryKey });
      queries.removeQueries({ predicate: isOfSession });
    },
  });
  return (
    <>
      <Button isIcon popoverTarget="session-menu" aria-label="Session" title="Session">
        <Icon name="key" />
      </Button>
      <div id="session-menu" popover="auto" className={css["menu"]}>
        <div className={css["menuBody"]}>
          <h2>{toLine(keyName(session))}</h2>
          <Facts
            rows={[
              ["Workspace", <code key="id">{session.workspaceId}</code>],
              ["Until", <Clock key="at" at={session.expiresAt} isAlone />],
              ["Gateway", session.version],
            ]}
          />
          <div className={css["scopes"]}>
            {session.scopes.map((scope) => (
              <Tag key={scope}>{scope}</Tag>
            ))}
          </div>
          {end.isError && <ErrorBlock error={end.error} />}
          <div className={controls["actions"]}>
            <Button onClick={() => end.mutate()}>Sign out</Button>
          </div>
        </div>
      </div>
    </>
  );
}
