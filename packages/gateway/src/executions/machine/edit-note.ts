import { cutText } from "@yagate/lib/text/cut-text";
import type { CallState } from "./state.ts";

/** Most characters of the arguments that are repeated to the model. */
const MAX_CHARACTERS = 4_000;

/** What the model reads before the result of a call whose arguments a person changed; empty for any other. */
export function editNote({ approval, parameters }: CallState): string {
  if (approval?.requestedParameters === undefined) return "";
  const text = JSON.stringify(parameters);
  const shown = cutText(text, MAX_CHARACTERS + 1);
  return `[A person changed the arguments of this call before it ran. They were: ${shown}]\n`;
}
