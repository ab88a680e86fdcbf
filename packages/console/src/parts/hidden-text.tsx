import type { ReactNode } from "react";
import css from "./text.module.css";

/** Text for screen readers only. */
export function HiddenText({ children }: { readonly children: ReactNode }) {
  return <span className={css["hidden"]}>{children}</span>;
}
