import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { createSource } from "../../api/tools.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { ChoiceField, TextArea, TextField } from "../../parts/text-field.tsx";
import { Findings } from "../agents/findings.tsx";
import css from "./tools.module.css";

const KINDS = [
  ["handler", "Handler that describes its tools"],
  ["mcp", "MCP server"],
] as const;

/** Adds a tool source. Its tools are held until a person accepts them. */
export function NewSource({ isDocument }: { readonly isDocument: boolean }) {
  const [kind, setKind] = useState("handler");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [document, setDocument] = useState("");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => {
      if (!isDocument) return createSource({ kind, name, url });
      return createSource({ kind: "openapi", name, ...(document === "" ? { url } : { document }) });
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ["sources"] });
      await navigate({ to: "/sources/$id", params: { id }, search: {} });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  const isIncomplete = name === "" || (url === "" && document === "");
  return (
    <form className={css["form"]} onSubmit={submit}>
      {!isDocument && <ChoiceField label="Kind" value={kind} options={KINDS} onChange={setKind} />}
      <TextField
        label="Name"
        hint="The namespace of its tools, such as orders"
        isCode
        value={name}
        onChange={setName}
      />
      <TextField label="URL" isCode value={url} onChange={setUrl} disabled={document !== ""} />
      {isDocument && (
        <TextArea
          label="Or the document itself"
          hint="JSON or YAML"
          isCode
          rows={12}
          value={document}
          onChange={setDocument}
        />
      )}
      {add.isError && <ErrorBlock error={add.error} />}
      {add.isError && <Findings error={add.error} />}
      <div className={controls["actions"]}>
        <Button look="primary" type="submit" disabled={isIncomplete || add.isPending}>
          {add.isPending ? "Reading" : "Add source"}
        </Button>
      </div>
    </form>
  );
}
