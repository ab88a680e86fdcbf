import { YagateError } from "@yagate/protocol";

/**
 * Decides for each call in turn whether it fails: for `n/m`, the first n of every m calls do. The pattern is
 * fixed, so that a run can be repeated.
 *
 * @throws YagateError `INVALID_REQUEST` for any other format.
 */
export function failurePattern(text: string | undefined): () => boolean {
  if (text === undefined) return () => false;
  const [, failing, all] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const [count, total] = [Number(failing), Number(all)];
  if (!(count >= 1 && count <= total)) {
    throw new YagateError("INVALID_REQUEST", "expected --fail to be n/m with n from 1 to m, such as 1/3");
  }
  let calls = 0;
  return () => {
    const isFailure = calls % total < count;
    calls += 1;
    return isFailure;
  };
}
