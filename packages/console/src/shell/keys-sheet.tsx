import { Dialog } from "../parts/dialog.tsx";
import css from "./shell.module.css";

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [["?"], "show the keys"],
  [["Ctrl K", "⌘ K"], "find a page, an agent or any id"],
  [["j", "k"], "next and previous row"],
  [["Enter"], "open the row"],
  [["Esc"], "back to the row, or close"],
  [["/"], "go to the filter"],
  [["f"], "failed only"],
  [["l"], "show new rows as they arrive"],
  [["+", "-", "0"], "zoom in, zoom out, show all of a timeline"],
  [["[", "]"], "move to earlier and to later times"],
  [["z"], "zoom to the row"],
];

/** All keys of the console. */
export function KeysSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className={css["keys"]}>
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
