import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Secret } from "@yagate/protocol";
import { useState } from "react";
import { toUrl } from "../../api/request.ts";
import { listSecrets } from "../../api/secrets.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, LiveMark } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { countOf, NONE } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import text from "../../parts/text.module.css";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";
import { DeleteSecretDialog } from "./delete-secret-dialog.tsx";
import { SetSecretDialog } from "./set-secret-dialog.tsx";
import { SigningSecrets } from "./signing-secrets.tsx";

const PACE_MS = 30_000;

/** The names of secrets and where they may go. No page and no response shows a value, except that of a new signing secret. */
export function SecretsPage() {
  const { row } = useSearch({ from: "/secrets" });
  const navigate = useNavigate({ from: "/secrets" });
  const list = useQuery({ queryKey: ["secrets"], queryFn: ({ signal }) => listSecrets(signal) });
  const live = useLive(() => void list.refetch(), PACE_MS);
  const [setting, setSetting] = useState<{ readonly secret?: Secret | undefined }>();
  const [deleting, setDeleting] = useState<string>();
  const rows = list.data ?? [];
  useRowKeys({
    rows: rows.map(({ name }) => name),
    selected: row,
    select: (name) => navigate({ search: { row: name }, replace: true }),
    open: (name) => setSetting({ secret: rows.find((secret) => secret.name === name) }),
  });
  const columns: readonly Column<Secret>[] = [
    {
      name: "Name",
      widthRem: 18,
      at: "main",
      cell: (secret) => (
        <Button look="link" onClick={() => setSetting({ secret })}>
          <span className={text["mono"]}>{secret.name}</span>
        </Button>
      ),
    },
    { name: "Authenticates as", widthRem: 11, at: "left", cell: ({ auth }) => auth?.type ?? NONE },
    {
      name: "May be sent to",
      at: "dropped",
      cell: ({ hosts }) => <span className={text["mono"]}>{hosts.length === 0 ? NONE : hosts.join(", ")}</span>,
    },
    {
      name: "Set",
      widthRem: 11,
      at: "when",
      isNumber: true,
      cell: ({ updatedAt }) => <Clock at={updatedAt} isAlone />,
    },
    {
      name: "Actions",
      widthRem: 7,
      at: "right",
      isNumber: true,
      cell: ({ name }) => (
        <Button isSmall onClick={() => setDeleting(name)} aria-label={`Delete ${name}…`}>
          Delete…
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHead
        title="Secrets"
        meta={
          <>
            <LiveMark state={live} />
            {list.isSuccess && <span>{countOf(rows.length, "secret")}</span>}
          </>
        }
        actions={
          <>
            <CopyButton
              text={`curl -s ${toUrl("v1/secrets").href} -H "Authorization: Bearer $YAGATE_API_KEY"`}
              label="Copy as curl"
            />
            <Button look="primary" onClick={() => setSetting({})}>
              Set a secret…
            </Button>
          </>
        }
      />
      <Section title="Workspace secrets" note="for tools and model providers; values are never shown">
        <Loaded
          query={list}
          label="secrets"
          empty={(data) =>
            data.length > 0 ? undefined : (
              <EmptyBlock
                title="No secret is set"
                action={<Button onClick={() => setSetting({})}>Set a secret…</Button>}
              >
                A secret is a key that the gateway puts into requests, so that neither agents nor models have it.
              </EmptyBlock>
            )
          }
        >
          {(data) => (
            <DataTable label="Secrets" columns={columns} rows={data} keyOf={({ name }) => name} selected={row} />
          )}
        </Loaded>
      </Section>
      <SigningSecrets />
      {setting !== undefined && <SetSecretDialog secret={setting.secret} onClose={() => setSetting(undefined)} />}
      {deleting !== undefined && <DeleteSecretDialog name={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
