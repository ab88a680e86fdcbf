import { Counter, type Registry } from "prom-client";

interface CounterOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
  readonly registry: Registry;
}

/** A series of a counter. */
export class CounterSeries<Label extends string = string> {
  readonly labels: Readonly<Record<Label, string>>;
  value = 0;

  constructor(labels: Readonly<Record<Label, string>>) {
    this.labels = labels;
  }

  /** @param by - a finite number of at least 0. */
  inc(by = 1): void {
    this.value += by;
  }
}

/**
 * A counter whose series are bound to their labels once. Counting is an addition; prom-client would check and hash the
 * labels each time, so it reads the series only at a scrape.
 */
export class CounterFamily<Label extends string = never> {
  readonly #series: CounterSeries<Label>[] = [];

  constructor({ name, help, labelNames = [], registry }: CounterOptions<Label>) {
    const series = this.#series;
    new Counter<Label>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, value } of series) this.inc(labels, value);
      },
    });
  }

  /** Adds a series, which is exposed from now on and starts at 0. Call this once for each combination of labels. */
  bind(labels: Readonly<Record<Label, string>>): CounterSeries<Label> {
    const series = new CounterSeries(labels);
    this.#series.push(series);
    return series;
  }
}
