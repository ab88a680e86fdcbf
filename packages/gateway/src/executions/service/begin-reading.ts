/** Lets a generator run up to its first value now, instead of when somebody asks for that. */
export function beginReading<Value>(values: AsyncGenerator<Value, void, void>): AsyncGenerator<Value, void, void> {
  const first = values.next();
  // Whoever reads is told; until then it is nobody's.
  first.catch(() => {});
  return goOn(first, values);
}

async function* goOn<Value>(
  first: Promise<IteratorResult<Value, void>>,
  values: AsyncGenerator<Value, void, void>,
): AsyncGenerator<Value, void, void> {
  try {
    const { done, value } = await first;
    if (done === true) return;
    yield value;
    yield* values;
  } finally {
    await values.return();
  }
}
