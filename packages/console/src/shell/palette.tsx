import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { agentsQuery } from "../api/agents.ts";
import { listTools } from "../api/tools.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { toLine } from "../parts/visible-text.tsx";
import { PLACES, pathOfId } from "./places.ts";
import css from "./shell.module.css";

interface Choice {
  readonly icon: IconName;
  readonly name: string;
  readonly kind: string;
  readonly href: string;
}

const MAX_FOUND = 8;

interface Named {
  readonly id: string;
  readonly name: string;
}

function choicesOf(text: string, agents: readonly Named[], tools: readonly Named[]): readonly Choice[] {
  const wanted = text.trim().toLowerCase();
  const path = pathOfId(text.trim());
  const matches = (name: string) => name.toLowerCase().includes(wanted);
  const found = (rows: readonly Named[], icon: "model" | "page", kind: string, folder: string) =>
    rows
      .filter(({ name, id }) => wanted !== "" && (matches(name) || id === wanted))
      .slice(0, MAX_FOUND)
      .map(({ name, id }): Choice => ({ icon, name: toLine(name), kind, href: `/${folder}/${id}` }));
  return [
    ...(path === undefined ? [] : [{ icon: "search", name: text.trim(), kind: "Id", href: path } as const]),
    ...PLACES.filter(({ name }) => matches(name)).map(
      ({ name, path: href }) => ({ icon: "page", name, kind: "Page", href }) as const,
    ),
    ...found(agents, "model", "Agent", "agents"),
    ...found(tools, "page", "Tool", "tools"),
  ];
}

/** Finds pages, agents, tools, and anything by its id. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const { data: agents } = useQuery(agentsQuery);
  const router = useRouter();
  const { data: tools } = useQuery({ queryKey: ["tools"], queryFn: ({ signal }) => listTools(signal) });
  const choices = choicesOf(text, agents ?? [], tools ?? []);
  const chosen = Math.min(at, choices.length - 1);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const open = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    dialog.current?.close();
    router.history.push(router.history.createHref(router.basepath + choice.href));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((chosen + step + choices.length) % Math.max(choices.length, 1));
    else if (event.key === "Enter") open(choices[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className={css["palette"]} aria-label="Find" onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={chosen >= 0 ? `${listId}-${chosen}` : undefined}
        aria-label="Find a page, an agent, a tool or an id"
        placeholder="Find or paste an id"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label="Found">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
          <div
            key={choice.href}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(choice)}
          >
            <Icon name={choice.icon} />
            <span>{choice.name}</span>
            <span className={css["kind"]}>{choice.kind}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className={css["nothing"]}>Nothing has this name or id.</p>}
    </dialog>
  );
}
