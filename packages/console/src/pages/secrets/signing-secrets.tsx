import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RotatedSigningSecret, SigningSecret } from "@yagate/protocol";
import { useState } from "react";
import { listSigningSecrets, rotateSigningSecret } from "../../api/secrets.ts";
import { CodeBlock, ErrorBlock, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Quiet, Section } from "../../parts/section.tsx";
import { Status } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { ChoiceField, TextField } from "../../parts/text-field.tsx";

const OVERLAPS = [
  ["0", "Not at all"],
  ["3600", "1 hour"],
  ["86400", "1 day"],
  ["604800", "7 days"],
] as const;
const DEFAULT_OVERLAP = "86400";

const columns: readonly Column<SigningSecret>[] = [
  { name: "Name", widthRem: 14, at: "main", cell: ({ name }) => <span className={text["mono"]}>{name}</span> },
  {
    name: "State",
    at: "status",
    cell: ({ expiresAt }) =>
      expiresAt === null ? (
        <Status kind="ok">Current</Status>
      ) : (
        <Status kind="waiting">
          Signs until <Clock at={expiresAt} isAlone />
        </Status>
      ),
  },
  {
    name: "Created",
    widthRem: 12,
    at: "when",
    isNumber: true,
    cell: ({ createdAt }) => <Clock at={createdAt} isAlone />,
  },
];

/** The secrets with which the gateway signs calls, and their rotation. */
export function SigningSecrets() {
  const list = useQuery({ queryKey: ["signing-secrets"], queryFn: ({ signal }) => listSigningSecrets(signal) });
  const [isRotating, setRotating] = useState(false);
  const rows = (list.data ?? []).toSorted((left, right) => left.name.localeCompare(right.name));
  return (
    <Section
      title="Signing secrets"
      note="with which the gateway signs calls to handlers"
      actions={<Button onClick={() => setRotating(true)}>Rotate…</Button>}
    >
      <Loaded
        query={list}
        label="signing secrets"
        empty={() => (rows.length === 0 ? <Quiet>There are none.</Quiet> : undefined)}
      >
        {() => <DataTable label="Signing secrets" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Loaded>
      {isRotating && (
        <RotateDialog names={[...new Set(rows.map(({ name }) => name))]} onClose={() => setRotating(false)} />
      )}
    </Section>
  );
}

function RotateDialog({ names, onClose }: { readonly names: readonly string[]; onClose(): void }) {
  const [name, setName] = useState(names[0] ?? "default");
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const [rotated, setRotated] = useState<RotatedSigningSecret>();
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => rotateSigningSecret({ name, overlapSeconds: Number(overlap) }),
    // The value is in this dialog only: it is gone when the dialog closes.
    gcTime: 0,
    onSuccess: async (secret) => {
      setRotated(secret);
      await queries.invalidateQueries({ queryKey: ["signing-secrets"] });
    },
  });
  if (rotated !== undefined) {
    return (
      <Dialog title={`The new secret ${rotated.name}`} closeLabel="Close, I have stored it" onClose={onClose}>
        <Notice icon="key" look="waiting">
          This value is shown only now. Store it where your handler reads its secrets, next to the previous one.
        </Notice>
        <CodeBlock label="The new signing secret">{rotated.secret}</CodeBlock>
        <div>
          <CopyButton text={rotated.secret} label="Copy secret" />
        </div>
        {rotated.previousExpiresAt !== null && (
          <p>
            The previous secret signs beside it until <Clock at={rotated.previousExpiresAt} isAlone />.
          </p>
        )}
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Rotate a signing secret"
      closeLabel="Keep the secret"
      onClose={onClose}
      action={
        <Button look="primary" disabled={rotate.isPending || name === ""} onClick={() => rotate.mutate()}>
          Rotate secret
        </Button>
      }
    >
      <TextField label="Name" hint="A new name creates another secret" isCode value={name} onChange={setName} />
      <ChoiceField
        label="The previous secret keeps signing for"
        hint="Until then, each call has both signatures, so each handler can switch at any time"
        value={overlap}
        options={OVERLAPS}
        onChange={setOverlap}
      />
      {rotate.isError && <ErrorBlock error={rotate.error} />}
    </Dialog>
  );
}
