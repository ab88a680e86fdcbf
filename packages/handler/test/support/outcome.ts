import { YagateError } from "../../src/index.ts";

/** "accept", or the code of the error; anything but our own error fails the test. */
export async function outcomeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "accept";
  } catch (error) {
    if (YagateError.is(error)) return error.code;
    throw error;
  }
}
