import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listSources, listTools } from "../../api/tools.ts";
import { Button } from "../../parts/button.tsx";
import { ChoiceField } from "../../parts/text-field.tsx";
import { toLine } from "../../parts/visible-text.tsx";
import css from "./agents.module.css";

/** Built-in tools that work without further settings. */
const BUILTINS = ["calculator", "datetime", "json_validator", "url_fetch"];

/** Chooses a tool by its namespace: built in, of the workspace, or of a source. */
export function ToolPicker({ onPick }: { onPick(tool: Readonly<Record<string, string>>): void }) {
  const tools = useQuery({ queryKey: ["tools"], queryFn: ({ signal }) => listTools(signal) });
  const sources = useQuery({ queryKey: ["sources"], queryFn: ({ signal }) => listSources(signal) });
  const [chosen, setChosen] = useState("");
  const finalized = (tools.data ?? []).filter(({ status }) => status === "created");
  const options: readonly (readonly [string, string])[] = [
    ["", "Choose a tool"],
    ...BUILTINS.map((name) => [`builtin ${name}`, `Built in: ${name}`] as const),
    ...finalized.map(({ id, name }) => [`tool ${id}`, `Workspace: ${toLine(name, 60)}`] as const),
    ...(sources.data ?? []).map(
      ({ id, name }) => [`source ${id}`, `Source: all tools of ${toLine(name, 60)}`] as const,
    ),
  ];
  const pick = () => {
    const [kind = "", id = ""] = chosen.split(" ");
    onPick({ [kind]: id });
    setChosen("");
  };
  return (
    <div className={css["picker"]}>
      <ChoiceField label="Add a tool" value={chosen} options={options} onChange={setChosen} />
      <Button disabled={chosen === ""} onClick={pick}>
        Add
      </Button>
    </div>
  );
}
