import { Histogram, type Registry } from "prom-client";

type Labels = Readonly<Record<string, string>>;

interface HistogramOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in ascending order. */
  readonly buckets: readonly number[];
  readonly labelNames?: readonly Label[];
  readonly registry: Registry;
}

/** A series of a histogram: how many values each bucket counted, and their sum. */
export class HistogramSeries {
  readonly #buckets: readonly number[];
  /** One count per bucket, and one for values above all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.#counts = [...buckets.map(() => 0), 0];
  }

  /** @param value - a finite number. */
  observe(value: number): void {
    const buckets = this.#buckets;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Returns the samples in the order of the text format: the buckets, the sum, the count. */
  samples(name: string, sharedLabels: Labels) {
    let count = 0;
    const buckets = this.#counts.map((counted, index) => {
      count += counted;
      const le = this.#buckets[index] ?? "+Inf";
      return { metricName: `${name}_bucket`, labels: { le }, sharedLabels, value: count };
    });
    const totals = { labels: {}, sharedLabels };
    return [
      ...buckets,
      { ...totals, metricName: `${name}_sum`, value: this.#sum },
      { ...totals, metricName: `${name}_count`, value: count },
    ];
  }
}

/** A histogram whose series are bound to their labels once; prom-client reads them only at a scrape. */
export class HistogramFamily<Label extends string = never> {
  readonly #buckets: readonly number[];
  readonly #series: BoundSeries[] = [];

  constructor(options: HistogramOptions<Label>) {
    this.#buckets = options.buckets;
    new ExposedHistogram(options, this.#series);
  }

  /** Adds a series, which is exposed from now on and starts at 0. Call this once for each combination of labels. */
  bind(labels: Readonly<Record<Label, string>>): HistogramSeries {
    const series = new HistogramSeries(this.#buckets);
    this.#series.push({ labels, series });
    return series;
  }
}

interface BoundSeries {
  readonly labels: Labels;
  readonly series: HistogramSeries;
}

/** The histogram in the registry. It exposes bound series instead of what it observes itself. */
class ExposedHistogram extends Histogram {
  readonly #description: Readonly<Record<"name" | "help", string>>;
  readonly #series: readonly BoundSeries[];

  constructor({ name, help, labelNames = [], registry }: HistogramOptions<string>, series: readonly BoundSeries[]) {
    super({ name, help, labelNames: [...labelNames], registers: [registry] });
    this.#description = { name, help };
    this.#series = series;
  }

  /** The registry calls this at each scrape, although prom-client does not declare it. */
  async getForPromString() {
    const { name } = this.#description;
    const values = this.#series.flatMap(({ labels, series }) => series.samples(name, labels));
    return { ...this.#description, type: "histogram", aggregator: "sum", values };
  }
}
