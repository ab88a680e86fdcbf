import { type ByteSearch, createByteSearch } from "./byte-search.ts";
import {
  encodedNeedles,
  ignoringCase,
  type NamedSecret,
  type OwnedNeedles,
  ownedNeedles,
  plainNeedles,
} from "./needles.ts";
import { decodedViews, type TextView, toEncodedView } from "./text-views.ts";

/** Where a secret stands in a text, in bytes of its UTF-8. */
export interface SecretSpan {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface SearchOptions {
  /** Whether `A` and `a` are the same: for hosts, and the names of headers. Default false. */
  readonly isCaseless?: boolean;
}

/** Looks for secrets in texts, as they are and in every encoding that is known here. */
export interface SecretSearch {
  /** Nothing is looked for. */
  readonly isEmpty: boolean;
  /** The name of a secret that the text holds. */
  first(text: string, options?: SearchOptions): string | undefined;
  /** Every place that holds a secret, in no order; some may overlap. Takes several times the memory of `first`. */
  spans(text: Uint8Array, options?: SearchOptions): readonly SecretSpan[];
}

interface OwnedSearch {
  readonly search: ByteSearch;
  readonly names: readonly string[];
}

/** The same for a text as it is written, and for one that is {@link toEncodedView}. */
interface Searches {
  readonly plain: OwnedSearch;
  readonly encoded: OwnedSearch;
}

/** @param secrets - values of less than 8 characters are not looked for. */
export function createSecretSearch(secrets: readonly NamedSecret[]): SecretSearch {
  const plain = ownedNeedles(secrets, plainNeedles);
  const encoded = ownedNeedles(secrets, encodedNeedles);
  const prepared = new Map<boolean, Searches>();

  function searches({ isCaseless = false }: SearchOptions = {}): Searches {
    const known = prepared.get(isCaseless);
    if (known !== undefined) return known;
    const prepare = ({ needles, names }: OwnedNeedles): OwnedSearch => ({
      search: createByteSearch(isCaseless ? ignoringCase(needles) : needles),
      names,
    });
    const made = { plain: prepare(plain), encoded: prepare(encoded) };
    prepared.set(isCaseless, made);
    return made;
  }

  return {
    isEmpty: plain.needles.length === 0,
    first(text, options) {
      const { plain: inPlain, encoded: inEncoded } = searches(options);
      for (const view of decodedViews(Buffer.from(text, "utf8"), { isTraced: false })) {
        const found = firstIn(inPlain, view) ?? firstIn(inEncoded, toEncodedView(view, { isTraced: false }));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    spans(text, options) {
      const { plain: inPlain, encoded: inEncoded } = searches(options);
      const spans: SecretSpan[] = [];
      for (const view of decodedViews(text, { isTraced: true })) {
        collectSpans(inPlain, view, spans);
        collectSpans(inEncoded, toEncodedView(view, { isTraced: true }), spans);
      }
      return spans;
    },
  };
}

function firstIn({ search, names }: OwnedSearch, { bytes }: TextView): string | undefined {
  for (const { needle } of search.matches(bytes)) return names[needle];
  return undefined;
}

function collectSpans({ search, names }: OwnedSearch, { bytes, origin }: TextView, spans: SecretSpan[]): void {
  for (const { needle, start, end } of search.matches(bytes)) {
    spans.push({
      name: names[needle] ?? "",
      start: origin === undefined ? start : (origin.starts[start] ?? 0),
      end: origin === undefined ? end : (origin.ends[end - 1] ?? 0),
    });
  }
}
