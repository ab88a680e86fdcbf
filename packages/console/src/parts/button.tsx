import type { ButtonHTMLAttributes } from "react";
import { classes } from "./classes.ts";
import css from "./controls.module.css";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "primary" | "danger" | "quiet" | "link" | undefined;
  readonly isSmall?: boolean;
  /** Whether it shows only a drawing; it then needs an `aria-label`. */
  readonly isIcon?: boolean;
}

/** A button. Its word is a verb; an ellipsis means that a dialog follows. */
export function Button({ look, isSmall = false, isIcon = false, type = "button", ...rest }: ButtonProps) {
  const name = classes(css["button"], look && css[look], isSmall && css["small"], isIcon && css["icon"]);
  return <button {...rest} type={type} className={name} />;
}
