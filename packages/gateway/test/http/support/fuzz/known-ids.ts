/** What responses named, so that later requests reach things that exist. */
export interface KnownIds {
  /** Remembers the ids and names of a response. */
  learn(body: unknown): void;
  /** Those that a pattern of the document allows. */
  matching(pattern: string): readonly string[];
  /** With this prefix, such as `agt`. */
  withPrefix(prefix: string): readonly string[];
  names(): readonly string[];
}

const ID = /^[a-z]{2,5}_[0-9a-z]{26,}$/;
/** The newest of each kind: a run of thousands of requests must not drown the ones that still exist. */
const MAX_KEPT = 12;

export function createKnownIds(): KnownIds {
  const ids = new Map<string, string[]>();
  const names: string[] = [];

  function keep(list: string[], value: string): void {
    if (list.includes(value)) return;
    list.push(value);
    if (list.length > MAX_KEPT) list.splice(draftedOut(list), 1);
  }

  function learn(value: unknown, key = ""): void {
    if (typeof value === "string") {
      if (ID.test(value)) {
        const prefix = value.slice(0, value.indexOf("_"));
        const list = ids.get(prefix) ?? [];
        ids.set(prefix, list);
        keep(list, value);
      } else if (key === "name") keep(names, value);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, part] of Object.entries(value)) learn(part, name);
    }
  }

  const withPrefix = (prefix: string) => ids.get(prefix) ?? [];
  return {
    learn: (body) => learn(body),
    withPrefix,
    matching(pattern) {
      const prefix = /^\^([a-z]{2,5})_/.exec(pattern)?.[1];
      if (prefix !== undefined) return withPrefix(prefix);
      const allowed = new RegExp(pattern);
      return names.filter((name) => allowed.test(name));
    },
    names: () => names,
  };
}

/** The oldest but the first few, which a test made on purpose. */
function draftedOut(list: readonly string[]): number {
  return Math.min(4, list.length - 1);
}
