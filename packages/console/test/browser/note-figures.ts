import { appendFileSync } from "node:fs";

/** Appends measured figures to a file, if `CONSOLE_FIGURES` names one. */
export function noteFigures(name: string, figures: Readonly<Record<string, number>>): void {
  const file = process.env["CONSOLE_FIGURES"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, ...figures })}\n`);
}
