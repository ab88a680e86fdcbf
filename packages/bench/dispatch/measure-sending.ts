/** How many calls, and how many of them at the same time. */
export interface SendingLoad {
  readonly calls: number;
  readonly concurrency: number;
}

export interface SendingMeasured {
  readonly perSecond: number;
  /** Of this process: the server has its own. */
  readonly cpuMs: number;
}

export async function measureSending(
  send: () => Promise<void>,
  { calls, concurrency }: SendingLoad,
): Promise<SendingMeasured> {
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - before) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: calls / seconds, cpuMs: (user + system) / 1_000 / calls };
}
