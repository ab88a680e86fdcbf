/** What the ids of things are called in the log, by the prefix of the id. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["agt", "agentId"],
  ["apr", "approvalId"],
  ["art", "artifactId"],
  ["att", "attemptId"],
  ["ep", "endpointId"],
  ["exec", "executionId"],
  ["key", "apiKeyId"],
  ["tc", "toolCallId"],
]);

const ID = /^([a-z]+)_[0-9a-z]{26}$/;

/** The ids among some values, each under the name that it has in every line of the log. */
export function loggedIds(values: readonly string[]): Readonly<Record<string, string>> {
  const named = values.map((value): [string | undefined, string] => [NAMES.get(ID.exec(value)?.[1] ?? ""), value]);
  return Object.fromEntries(named.filter((pair): pair is [string, string] => pair[0] !== undefined));
}
