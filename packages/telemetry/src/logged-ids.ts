/** Log field names by id prefix. */
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

/** Picks the ids from these values and returns each under its log field name. */
export function loggedIds(values: readonly string[]): Readonly<Record<string, string>> {
  const named = values.map((value): [string | undefined, string] => [NAMES.get(ID.exec(value)?.[1] ?? ""), value]);
  return Object.fromEntries(named.filter((pair): pair is [string, string] => pair[0] !== undefined));
}
