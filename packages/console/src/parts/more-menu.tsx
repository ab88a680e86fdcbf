import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import css from "./controls.module.css";
import { Icon } from "./icon.tsx";

/** Actions that are needed less often, behind a button with three dots. */
export function MoreMenu({ children }: { readonly children: ReactNode }) {
  const id = useId();
  return (
    <span className={css["more"]}>
      <Button isIcon popoverTarget={id} aria-label="More" title="More">
        <Icon name="more" />
      </Button>
      <div id={id} popover="auto" className={css["moreMenu"]} role="group" aria-label="More actions">
        {children}
      </div>
    </span>
  );
}
