import { useSyncExternalStore } from "react";

/** The themes, in the order in which the button goes through them. */
const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "yagate.theme";
const listeners = new Set<() => void>();

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? "system";
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Applies the theme that was chosen earlier. Call it before the first drawing. */
export function applyStoredTheme(): void {
  apply(stored());
}

export function useTheme(): { readonly theme: Theme; next(): void } {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
  return {
    theme,
    next() {
      const following = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
      localStorage.setItem(KEY, following);
      apply(following);
      for (const listener of listeners) listener();
    },
  };
}
