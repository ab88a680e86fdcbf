import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import controls from "../parts/controls.module.css";
import css from "./shell.module.css";

interface PageHeadProps {
  /** What a person would say. */
  readonly title: string;
  /** The title with drawn characters, if it comes from elsewhere. */
  readonly children?: ReactNode;
  readonly crumb?: { readonly path: string; readonly name: string };
  readonly meta?: ReactNode;
  readonly actions?: ReactNode;
}

/** The head of a page: where it is, one title, one line of facts, and what can be done. */
export function PageHead({ title, children, crumb, meta, actions }: PageHeadProps) {
  return (
    <div className={css["head"]}>
      <title>{`${title} · Yagate`}</title>
      <div className={css["headText"]}>
        {crumb !== undefined && (
          <nav className={css["crumb"]} aria-label="Breadcrumb">
            <Link to={crumb.path}>{crumb.name}</Link>
            <span aria-hidden="true">/</span>
          </nav>
        )}
        <h1>{children ?? title}</h1>
        {meta !== undefined && <div className={css["meta"]}>{meta}</div>}
      </div>
      {actions !== undefined && <div className={controls["actions"]}>{actions}</div>}
    </div>
  );
}
