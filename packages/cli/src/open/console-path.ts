import { YagateError } from "@yagate/protocol";

const PAGES: readonly (readonly [prefix: string, path: string])[] = [
  ["exec", "executions/"],
  ["tc", "tool-calls/"],
  ["apr", "approvals?open="],
];

/**
 * Returns the path of the console's page about an id, below the URL of the gateway.
 *
 * @throws YagateError `INVALID_REQUEST` if no page shows the id.
 */
export function consolePath(id: string | undefined): string {
  if (id === undefined) return "/console/";
  const [, prefix] = /^([a-z]+)_\w{1,120}$/.exec(id) ?? [];
  const [, path] = PAGES.find(([known]) => known === prefix) ?? [];
  if (path !== undefined) return `/console/${path}${id}`;
  throw new YagateError(
    "INVALID_REQUEST",
    `expected the id of an execution, a tool call or an approval, but got ${id}`,
    {
      hint: "such ids start with exec_, tc_ or apr_",
    },
  );
}
