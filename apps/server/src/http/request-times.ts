// Counts how long requests took, by method, route and kind of answer: the same histogram Prometheus would keep, without
// looking its labels up by text at every request. Labels come from closed sets only.

interface Line {
  readonly method: string;
  readonly route: string;
  readonly status: string;
  /** How many ended within each bucket and in none before it; the last has no end. */
  readonly counts: Float64Array;
  sum: number;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const STATUS_KINDS = ["0xx", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;

export class RequestTimes {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly #buckets: readonly number[];
  /** By route, then by method and kind of answer. */
  readonly #routes = new Map<string, Map<string, (Line | undefined)[]>>();

  constructor(options: { readonly name: string; readonly help: string; readonly buckets: readonly number[] }) {
    this.name = options.name;
    this.help = options.help;
    this.#buckets = options.buckets;
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const line = this.#line(method, route, Math.trunc(status / 100));
    let bucket = 0;
    while (bucket < this.#buckets.length && seconds > (this.#buckets[bucket] ?? 0)) bucket += 1;
    line.counts[bucket] = (line.counts[bucket] ?? 0) + 1;
    line.sum += seconds;
  }

  #line(method: string, route: string, kind: number): Line {
    let methods = this.#routes.get(route);
    if (methods === undefined) {
      methods = new Map();
      this.#routes.set(route, methods);
    }
    let lines = methods.get(method);
    if (lines === undefined) {
      lines = [];
      methods.set(method, lines);
    }
    let line = lines[kind];
    if (line === undefined) {
      const counts = new Float64Array(this.#buckets.length + 1);
      line = { method, route, status: STATUS_KINDS[kind] ?? "0xx", counts, sum: 0 };
      lines[kind] = line;
    }
    return line;
  }

  /** In the form a registry reads. */
  async get() {
    const values: Sample[] = [];
    for (const methods of this.#routes.values()) {
      for (const lines of methods.values())
        for (const line of lines) if (line !== undefined) this.#notify(line, values);
    }
    return { name: this.name, help: this.help, type: this.type, aggregator: "sum", values };
  }

  reset(): void {
    this.#routes.clear();
  }

  #notify({ method, route, status, counts, sum }: Line, values: Sample[]): void {
    const labels = { method, route, status };
    let total = 0;
    for (const [index, count] of counts.entries()) {
      total += count;
      const le = this.#buckets[index] ?? "+Inf";
      values.push({ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total });
    }
    values.push({ metricName: `${this.name}_sum`, labels, value: sum });
    values.push({ metricName: `${this.name}_count`, labels, value: total });
  }
}
