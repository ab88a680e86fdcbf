/**
 * What a test does without a program that is not there: it is skipped and says what to install. With `CI=true` in
 * the environment it fails instead, so that no run that counts leaves it out unseen.
 */
export function missingService(program: string, remedy = 'run "bash scripts/install-test-services.sh"'): undefined {
  const reason = `${program} is not installed: ${remedy}`;
  if (process.env["CI"] === "true") throw new Error(reason);
  process.stderr.write(`tests are skipped: ${reason}\n`);
}
