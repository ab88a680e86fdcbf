import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Command, ErrorBlock } from "../parts/blocks.tsx";
import { Button } from "../parts/button.tsx";
import controls from "../parts/controls.module.css";
import { BrandMark } from "../shell/brand-mark.tsx";
import { isOfSession, sessionQuery, signIn } from "./session.ts";
import css from "./sign-in.module.css";

/** Signs the browser in with an API key. The key is sent once, and kept nowhere. */
export function SignInPage({ link, onSignedIn }: { readonly link: string | undefined; onSignedIn(): void }) {
  const [apiKey, setApiKey] = useState("");
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: signIn,
    onSuccess(session) {
      setApiKey("");
      queries.removeQueries({ predicate: isOfSession });
      queries.setQueryData(sessionQuery.queryKey, session);
      onSignedIn();
    },
  });
  const { mutate } = start;
  const usedLink = useRef<string>(undefined);
  useEffect(() => {
    if (link === undefined || usedLink.current === link) return;
    usedLink.current = link;
    mutate({ link });
  }, [link, mutate]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (apiKey.trim() !== "") mutate({ apiKey: apiKey.trim() });
  };
  return (
    <main className={css["page"]} id="main">
      <title>Sign in · Yagate</title>
      <div className={css["card"]}>
        <div className={css["brand"]}>
          <BrandMark />
          Yagate
        </div>
        <h1>Sign in</h1>
        <form className={css["form"]} onSubmit={submit}>
          <label className={controls["field"]}>
            <span className={controls["label"]}>API key</span>
            <input
              className={controls["input"]}
              type="password"
              name="api-key"
              autoComplete="off"
              spellCheck={false}
              value={apiKey}
              onChange={({ target }) => setApiKey(target.value)}
            />
          </label>
          <Button look="primary" type="submit" disabled={start.isPending}>
            {start.isPending ? "Signing in" : "Sign in"}
          </Button>
        </form>
        {start.isError && <ErrorBlock error={start.error} />}
        <p className={css["note"]}>
          The console does what the scopes of the key allow. The key is not stored; the session ends after 12 hours, or
          after an hour without use.
        </p>
        <p className={css["note"]}>
          <code>yagate dev</code> prints a link that signs one browser in. Elsewhere, create a key for yourself:
        </p>
        <Command text="yagate keys create me --scopes executions,approvals" />
      </div>
    </main>
  );
}
