/** Splits a `text/event-stream` into the data of its frames. Comments and other fields are left out. */
export function createFrameReader(): (chunk: string) => readonly string[] {
  let rest = "";
  return (chunk) => {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    return frames.flatMap((frame) => {
      const lines = frame.split("\n").filter((line) => line.startsWith("data:"));
      return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).trimStart()).join("\n")];
    });
  };
}
