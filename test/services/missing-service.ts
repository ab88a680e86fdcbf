/**
 * What a test does without a program that npm can't bring: it is skipped and says what to install. With `CI=true` in
 * the environment it fails instead, so that no run that counts leaves it out unseen.
 */
export function missingService(program: string): undefined {
  const reason = `${program} is not installed: run "bash scripts/install-test-services.sh"`;
  if (process.env["CI"] === "true") throw new Error(reason);
  process.stderr.write(`tests are skipped: ${reason}\n`);
}
