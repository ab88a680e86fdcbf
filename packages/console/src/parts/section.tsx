import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import css from "./section.module.css";

interface SectionProps {
  readonly title: string;
  readonly note?: string;
  /** Where all of it is. */
  readonly link?: { readonly to: string; readonly text: string; readonly search?: Readonly<Record<string, string>> };
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, note, link, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={css["section"]} aria-labelledby={id}>
      <div className={css["head"]}>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className={css["note"]}>{note}</span>}
        {link !== undefined && (
          <Link className={css["end"]} to={link.to} search={link.search ?? {}}>
            {link.text}
          </Link>
        )}
        {actions !== undefined && <div className={css["end"]}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface LineProps {
  readonly icon?: ReactNode;
  readonly children: ReactNode;
  readonly end?: ReactNode;
}

/** A list of single lines: a drawing, a text, and a value at the end. */
export function Lines({ children }: { readonly children: ReactNode }) {
  return <ul className={css["lines"]}>{children}</ul>;
}

export function Line({ icon, children, end }: LineProps) {
  return (
    <li className={css["line"]}>
      {icon}
      <div className={css["text"]}>{children}</div>
      {end !== undefined && <div className={css["value"]}>{end}</div>}
    </li>
  );
}

/** Says that a section has nothing to show. */
export function Quiet({ children }: { readonly children: ReactNode }) {
  return (
    <p className={css["quiet"]} data-state="empty">
      {children}
    </p>
  );
}

/** A strip of figures. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className={css["figures"]}>{children}</dl>;
}

export function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {note !== undefined && <dd className={css["under"]}>{note}</dd>}
    </div>
  );
}
