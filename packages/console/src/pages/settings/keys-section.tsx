import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKey, CreatedApiKey, Scope } from "@yagate/protocol";
import { useState } from "react";
import { createKey, deleteKey, listKeys, rotateKey } from "../../api/settings.ts";
import { CodeBlock, ErrorBlock, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { NONE } from "../../parts/numbers.ts";
import { Quiet, Section } from "../../parts/section.tsx";
import { ChoiceField, TextField } from "../../parts/text-field.tsx";
import { toLine } from "../../parts/visible-text.tsx";

const DAY_MS = 86_400_000;
const EXPIRIES = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const;

/** All scopes. The type fails if the gateway gets another one. */
const SCOPES = Object.keys({
  agents: true,
  executions: true,
  fallback: true,
  approvals: true,
  secrets: true,
  tools: true,
  operations: true,
  admin: true,
} satisfies Record<Exclude<Scope, symbol>, true>) as readonly Scope[];

type Open = { readonly act: "create" } | { readonly act: "rotate" | "delete"; readonly key: ApiKey };

/** The API keys of the workspace. The value of a key is shown once, when it is made. */
export function KeysSection() {
  const list = useQuery({ queryKey: ["api-keys"], queryFn: ({ signal }) => listKeys(signal) });
  const [open, setOpen] = useState<Open>();
  const columns: readonly Column<ApiKey>[] = [
    { name: "Name", at: "main", cell: ({ name }) => toLine(name, 80) },
    { name: "Scopes", at: "left", cell: ({ scopes }) => scopes.join(", ") },
    { name: "Last used", widthRem: 11, at: "when", isNumber: true, cell: ({ lastUsedAt }) => timeOf(lastUsedAt) },
    {
      name: "Expires",
      widthRem: 11,
      at: "dropped",
      isNumber: true,
      cell: ({ expiresAt }) => timeOf(expiresAt, "never"),
    },
    {
      name: "Actions",
      widthRem: 12,
      at: "right",
      isNumber: true,
      cell: (key) => (
        <span className={controls["actions"]}>
          <Button
            isSmall
            aria-label={`Rotate ${toLine(key.name, 80)}…`}
            onClick={() => setOpen({ act: "rotate", key })}
          >
            Rotate…
          </Button>
          <Button
            isSmall
            aria-label={`Delete ${toLine(key.name, 80)}…`}
            onClick={() => setOpen({ act: "delete", key })}
          >
            Delete…
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Section title="API keys" actions={<Button onClick={() => setOpen({ act: "create" })}>Create a key…</Button>}>
      <Loaded
        query={list}
        label="API keys"
        empty={(rows) =>
          rows.length > 0 ? undefined : (
            <Quiet>Only the bootstrap key exists. Create a key for each person and application.</Quiet>
          )
        }
      >
        {(rows) => <DataTable label="API keys" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Loaded>
      {open?.act === "create" && <CreateKeyDialog onClose={() => setOpen(undefined)} />}
      {open?.act === "rotate" && <RotateKeyDialog apiKey={open.key} onClose={() => setOpen(undefined)} />}
      {open?.act === "delete" && <DeleteKeyDialog apiKey={open.key} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function timeOf(at: string | null, none = NONE) {
  return at === null ? none : <Clock at={at} isAlone />;
}

function useKeyChange<Result>(change: () => Promise<Result>, onSuccess: (result: Result) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The value of a key stays in its dialog.
    gcTime: 0,
    onSuccess: async (result) => {
      onSuccess(result);
      await queries.invalidateQueries({ queryKey: ["api-keys"] });
    },
  });
}

function NewValue({ created, onClose }: { readonly created: CreatedApiKey; onClose(): void }) {
  return (
    <Dialog title={`The key ${toLine(created.name, 80)}`} closeLabel="Close, I have stored it" onClose={onClose}>
      <Notice icon="key" look="waiting">
        This value is shown only now.
      </Notice>
      <CodeBlock label="The API key">{created.key}</CodeBlock>
      <div>
        <CopyButton text={created.key} label="Copy key" />
      </div>
    </Dialog>
  );
}

function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(["executions"]));
  const [days, setDays] = useState("");
  const [created, setCreated] = useState<CreatedApiKey>();
  const create = useKeyChange(() => {
    const expiresAt = days === "" ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    return createKey({ name, scopes: [...scopes], ...expiresAt });
  }, setCreated);
  if (created !== undefined) return <NewValue created={created} onClose={onClose} />;
  const toggle = (scope: Scope, isChosen: boolean) => {
    const next = new Set(scopes);
    if (isChosen) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  return (
    <Dialog
      title="Create an API key"
      closeLabel="Cancel"
      onClose={onClose}
      action={
        <Button
          look="primary"
          disabled={name.trim() === "" || scopes.size === 0 || create.isPending}
          onClick={() => create.mutate()}
        >
          Create key
        </Button>
      }
    >
      <TextField label="Name" hint="The person or the application that will use it" value={name} onChange={setName} />
      <fieldset className={controls["field"]}>
        <legend className={controls["label"]}>Scopes</legend>
        <div className={controls["checks"]}>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.has(scope)}
                onChange={({ target }) => toggle(scope, target.checked)}
              />
              {scope}
            </label>
          ))}
        </div>
      </fieldset>
      <ChoiceField label="Expires" value={days} options={EXPIRIES} onChange={setDays} />
      {create.isError && <ErrorBlock error={create.error} />}
    </Dialog>
  );
}

function RotateKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  const [created, setCreated] = useState<CreatedApiKey>();
  const rotate = useKeyChange(() => rotateKey(apiKey.id), setCreated);
  if (created !== undefined) return <NewValue created={created} onClose={onClose} />;
  return (
    <Dialog
      title={`Rotate ${toLine(apiKey.name, 80)}?`}
      closeLabel="Keep the value"
      onClose={onClose}
      action={
        <Button look="primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate key
        </Button>
      }
    >
      <p>The key gets a new value. Its present value stays valid for a day.</p>
      {rotate.isError && <ErrorBlock error={rotate.error} />}
    </Dialog>
  );
}

function DeleteKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  const remove = useKeyChange(() => deleteKey(apiKey.id), onClose);
  return (
    <DeleteDialog noun="key" name={apiKey.name} remove={() => remove.mutateAsync()} onClose={onClose}>
      Requests that use it fail within seconds, and console sessions that it started end.
    </DeleteDialog>
  );
}
