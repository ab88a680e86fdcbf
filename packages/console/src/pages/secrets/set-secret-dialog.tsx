import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PutSecret, Secret } from "@yagate/protocol";
import { useState } from "react";
import { putSecret } from "../../api/secrets.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, TextField } from "../../parts/text-field.tsx";

const AUTHS = [
  ["", "Not by itself"],
  ["bearer", "Bearer token"],
  ["basic", "User name and password"],
  ["header", "Header"],
  ["query_param", "Query parameter"],
  ["signed_token", "Signed token (JWT)"],
] as const;

interface Fields {
  readonly name: string;
  readonly value: string;
  readonly username: string;
  readonly type: string;
  readonly parameter: string;
  readonly hosts: string;
}

function toBody({ value, username, type, parameter, hosts }: Fields): PutSecret {
  const list = hosts.split(/[\s,]+/).filter((host) => host !== "");
  if (type === "basic") return { value: { username, password: value }, auth: { type }, hosts: list };
  if (type === "bearer" || type === "signed_token") return { value, auth: { type }, hosts: list };
  if (type === "header" || type === "query_param") return { value, auth: { type, name: parameter }, hosts: list };
  return { value, auth: null, hosts: list };
}

/** Creates a secret, or replaces its value. */
export function SetSecretDialog({ secret, onClose }: { readonly secret: Secret | undefined; onClose(): void }) {
  const auth = secret?.auth ?? undefined;
  const [fields, setFields] = useState<Fields>({
    name: secret?.name ?? "",
    value: "",
    username: "",
    type: auth?.type ?? (secret === undefined ? "bearer" : ""),
    parameter: auth !== undefined && "name" in auth && typeof auth.name === "string" ? auth.name : "",
    hosts: secret?.hosts.join(", ") ?? "",
  });
  const change = (name: keyof Fields) => (value: string) => setFields({ ...fields, [name]: value });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => putSecret(fields.name, toBody(fields)),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ["secrets"] });
    },
  });
  const isIncomplete = fields.name === "" || (fields.value === "" && fields.type !== "basic");
  return (
    <Dialog
      title={secret === undefined ? "Set a secret" : `Replace ${secret.name}`}
      closeLabel={secret === undefined ? "Cancel" : "Keep the value"}
      onClose={onClose}
      action={
        <Button look="primary" disabled={isIncomplete || save.isPending} onClick={() => save.mutate()}>
          {secret === undefined ? "Set secret" : "Replace value"}
        </Button>
      }
    >
      {secret === undefined && (
        <TextField
          label="Name"
          hint="Upper-case letters, digits and _, such as ORDERS_API_KEY"
          isCode
          value={fields.name}
          onChange={change("name")}
        />
      )}
      <ChoiceField label="Authenticates as" value={fields.type} options={AUTHS} onChange={change("type")} />
      {fields.type === "basic" && (
        <TextField label="User name" isCode value={fields.username} onChange={change("username")} />
      )}
      {(fields.type === "header" || fields.type === "query_param") && (
        <TextField
          label={fields.type === "header" ? "Name of the header" : "Name of the parameter"}
          isCode
          value={fields.parameter}
          onChange={change("parameter")}
        />
      )}
      <TextField
        label={fields.type === "basic" ? "Password" : "Value"}
        type="password"
        hint="Sent once, and never shown again"
        value={fields.value}
        onChange={change("value")}
      />
      <TextField
        label="May be sent to"
        hint="Hosts, separated by commas; the credential of an HTTP tool needs at least one"
        isCode
        value={fields.hosts}
        onChange={change("hosts")}
      />
      {save.isError && <ErrorBlock error={save.error} />}
    </Dialog>
  );
}
