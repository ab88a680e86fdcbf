import { fileURLToPath } from "node:url";

/** Returns the folder with the templates of projects, as included in the package. */
export function templateFolder(): string {
  return fileURLToPath(new URL("../templates", import.meta.url));
}
