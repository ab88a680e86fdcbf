import type { Agent, ErrorCode } from "@yagate/protocol";
import { type RefObject, useEffect, useState } from "react";
import { RANGES } from "../../api/executions.ts";
import controls from "../../parts/controls.module.css";
import css from "../../parts/table.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import type { SearchParams } from "../../shell/search-params.ts";

const STATUSES = ["queued", "running", "waiting", "completed", "failed", "cancelled"];
/** The codes with which executions fail; others can be written in the address. */
const CODES = [
  ...["MODEL_ERROR", "MODEL_UNPRICED", "NOT_CONFIGURED", "NO_ROUTE", "REPLAY_DIVERGED", "TOO_MANY_TOOLS", "INTERNAL"],
] as const satisfies readonly ErrorCode[];
const TYPING_MS = 300;

interface FiltersProps {
  readonly search: SearchParams;
  readonly agents: readonly Agent[] | undefined;
  readonly metadataInput: RefObject<HTMLInputElement | null>;
  onChange(change: SearchParams): void;
}

/** The filters of the list. They are the page's address, so a filtered list is a link. */
export function Filters({ search, agents, metadataInput, onChange }: FiltersProps) {
  const { status = "", agent = "", code = "", tool = "", range = "", metadata = "" } = search;
  const select = (name: string, value: string, label: string, options: readonly (readonly [string, string])[]) => (
    <select
      className={controls["select"]}
      aria-label={name}
      value={value}
      onChange={({ target }) => onChange({ [name.toLowerCase()]: target.value })}
    >
      <option value="">{label}</option>
      {withChosen(options, value).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <search className={css["filters"]}>
      {select(
        "Status",
        status,
        "Any status",
        STATUSES.map((name) => [name, name]),
      )}
      {select(
        "Agent",
        agent,
        "Any agent",
        (agents ?? []).map(({ id, name }) => [id, toLine(name, 60)]),
      )}
      {select(
        "Code",
        code,
        "Any code",
        CODES.map((name) => [name, name]),
      )}
      {select(
        "Range",
        range,
        "Any time",
        Object.entries(RANGES).map(([id, { name }]) => [id, name]),
      )}
      <TypedFilter name="tool" label="Tool" placeholder="tool: lookup_order" value={tool} onChange={onChange} />
      <TypedFilter
        name="metadata"
        label="Metadata"
        placeholder="metadata: tenant=nl-02"
        value={metadata}
        input={metadataInput}
        onChange={onChange}
      />
    </search>
  );
}

/** Adds the chosen value, if the address has one that the list lacks. */
function withChosen(
  options: readonly (readonly [string, string])[],
  value: string,
): readonly (readonly [string, string])[] {
  return value === "" || options.some(([option]) => option === value) ? options : [...options, [value, value]];
}

interface TypedFilterProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly input?: RefObject<HTMLInputElement | null>;
  onChange(change: SearchParams): void;
}

/** A filter that is typed. It takes effect once the reader pauses. */
function TypedFilter({ name, label, placeholder, value, input, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange({ [name]: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [name, typed, value, onChange]);
  return (
    <input
      ref={input}
      className={controls["input"]}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Escape") currentTarget.blur();
      }}
    />
  );
}
