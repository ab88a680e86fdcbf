/** Something that a test waits for, or lets others wait for. */
export function createGate<Value = void>() {
  let open: (value: Value) => void = () => {};
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
