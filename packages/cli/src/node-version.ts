/** The oldest Node that runs the gateway; also in this package's `engines`. */
export const OLDEST_NODE = "22.19";

/** What is wrong with a version of Node, if anything. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `expected Node ${OLDEST_NODE} or newer; this is Node ${version}`;
}
