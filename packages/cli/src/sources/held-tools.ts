import type { HeldTools } from "@yagate/protocol";
import { commandName } from "../command-name.ts";

/** Says which tools of its sources an execution does not get, and how to review them. */
export function describeHeldTools({ count, names }: HeldTools): string {
  const what = count === 1 ? "1 held tool is" : `${count} held tools are`;
  const rest = count > names.length ? ` and ${count - names.length} more` : "";
  const sources = new Set(names.flatMap((name) => name.split(".").slice(0, 1)));
  const commands = [...sources].map((source) => `${commandName()} sources diff ${source}`);
  return `${what} not available to the agent: ${names.join(", ")}${rest}. To review: ${commands.join("; ")}`;
}
