/** A value that must turn up nowhere, by what it is. */
export type PlantedValues = ReadonlyMap<string, string>;

/** What was found where it must not be. */
export interface Sighting {
  readonly value: string;
  readonly place: string;
  readonly form: string;
}

const PREFIX = /^(?:whsec_|yk_|yt_|sk-)/;

/**
 * A value in the disguises that come about by themselves. This is on purpose not the product's own search: it would be
 * blind for what that one is blind for.
 */
function formsOf(value: string): ReadonlyMap<string, Buffer> {
  const text = Buffer.from(value);
  const payload = value.replace(PREFIX, "");
  const forms: [string, Buffer][] = [
    ["plain", text],
    ["plain without its prefix", Buffer.from(payload)],
    ["JSON", Buffer.from(JSON.stringify(value).slice(1, -1))],
    ["percent-encoded", Buffer.from(encodeURIComponent(value))],
    ["hex", Buffer.from(text.toString("hex"))],
    ["upper-case hex", Buffer.from(text.toString("hex").toUpperCase())],
    ["the bytes that it stands for", Buffer.from(payload, "base64")],
    ["the end of it", Buffer.from(value.slice(-20))],
  ];
  for (const before of [0, 1, 2]) {
    const base64 = Buffer.concat([Buffer.alloc(before, "x"), text]).toString("base64");
    // The first four characters hold what stands before, the last four what stands behind.
    const sure = base64.slice(4, -4);
    forms.push([`base64, ${before} bytes in`, Buffer.from(sure)]);
    forms.push([`base64url, ${before} bytes in`, Buffer.from(sure.replaceAll("+", "-").replaceAll("/", "_"))]);
  }
  return new Map(forms.filter(([, bytes]) => bytes.length >= 8));
}

/** Every planted value in everything that was written; none is what a test wants to see. */
export function sightings(written: ReadonlyMap<string, Buffer>, planted: PlantedValues): readonly Sighting[] {
  return [...planted].flatMap(([value, text]) =>
    [...formsOf(text)].flatMap(([form, bytes]) =>
      [...written].filter(([, all]) => all.includes(bytes)).map(([place]) => ({ value, place, form })),
    ),
  );
}
