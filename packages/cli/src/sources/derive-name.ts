import { toolSourceNameSchema } from "@yagate/protocol";

const MAX_LENGTH = 24;
/** Parts of URLs that say nothing about the tools behind them. */
const GENERIC: ReadonlySet<string> = new Set([
  ...["tools", "tool", "mcp", "sse", "api", "apis", "rest", "v1", "v2", "v3", "handler", "handlers", "webhook"],
  ...["webhooks", "openapi", "swagger", "www", "localhost"],
]);

/**
 * Derives the name of a source from its URL: the last part of the path that says something, else such a label of the
 * host, else the last part of the path. `https://tools.example.com/orders` and `https://orders.example.com/tools` give
 * `orders`, `http://localhost:3000/tools` gives `tools`.
 *
 * @returns undefined if no part of the URL can be a name.
 */
export function deriveName(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const parts = pathname
    .split("/")
    .filter((part) => part !== "")
    .toReversed()
    .map((part) => toName(part.replace(/\.(?:json|ya?ml)$/i, "")));
  const candidates = [...parts.filter(isTelling), ...labelsOf(hostname).map(toName).filter(isTelling), ...parts];
  return candidates.find((name) => toolSourceNameSchema.safeParse(name).success);
}

/** Returns the labels of a host except its top-level domain; none for an address. */
function labelsOf(hostname: string): readonly string[] {
  return /^[\d.]+$|^\[/.test(hostname) ? [] : hostname.split(".").slice(0, -1);
}

function isTelling(name: string): boolean {
  return !GENERIC.has(name);
}

function toName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[^a-z]+|_+$/g, "")
    .slice(0, MAX_LENGTH)
    .replace(/_$/, "");
}
