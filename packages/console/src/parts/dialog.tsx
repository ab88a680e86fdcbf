import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import css from "./controls.module.css";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The button that does what the title says. */
  readonly action?: ReactNode;
  /** The way out, which says what stays. Default: `Close`. */
  readonly closeLabel?: string;
  readonly onClose: () => void;
}

/** A modal dialog. It closes with Escape, and focus returns to where it was. */
export function Dialog({ title, children, action, closeLabel = "Close", onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose} onCancel={onClose}>
      <div className={css["dialogBody"]}>
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
      <div className={css["dialogFoot"]}>
        <Button onClick={() => dialog.current?.close()}>{closeLabel}</Button>
        {action}
      </div>
    </dialog>
  );
}
