/** One family of a scrape. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** With the suffix of its family, such as `_bucket`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const SUFFIX = /_(?:bucket|sum|count)$/;

/** Reads the text format 0.0.4 by its grammar. @throws Error for what does not follow it. */
export function parseMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("expected a line feed at the end");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const familyOf = (name: string) => {
    const family = families.get(name) ?? { type: "", help: "", samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (line === "") continue;
    if (kind === "HELP") familyOf(name).help = rest;
    else if (kind === "TYPE") {
      if (familyOf(name).type !== "") throw new Error(`two types of ${name}`);
      familyOf(name).type = rest;
    } else {
      const sample = parseSample(line);
      const family = families.get(sample.name) ?? families.get(sample.name.replace(SUFFIX, ""));
      if (family === undefined || family.type === "") throw new Error(`expected a type before ${line}`);
      family.samples.push(sample);
    }
  }
  return families;
}

function parseSample(line: string): Sample {
  const [, name = "", labelText = "", number = ""] = SAMPLE.exec(line) ?? [];
  if (name === "") throw new Error(`expected a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let at = 0; at < labelText.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const [, label = "", value = ""] = LABEL.exec(labelText) ?? [];
    if (label === "" || label in labels) throw new Error(`expected labels, each once: ${line}`);
    labels[label] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
  }
  const value = number === "+Inf" ? Number.POSITIVE_INFINITY : number === "Nan" ? Number.NaN : Number(number);
  if (Number.isNaN(value) && number !== "Nan") throw new Error(`expected a number: ${line}`);
  return { name, labels, value };
}
