// Every metric the process exposes to Prometheus, in its own registry. Labels come from closed sets only: a caller must
// never be able to create new ones.
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from "prom-client";
import type { ClockReading } from "../clock/clock.ts";
import { RequestTimes } from "./request-times.ts";
import { Visits } from "./visits.ts";

export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: RequestTimes;
  readonly visits: Visits;
  /** The number of requests in progress is read when the metrics are scraped. */
  readRunning: () => number;
  readonly refusals: Counter<"code">;
  readonly policyReports: Counter<"directive">;
  readonly sockets: Gauge;
  readonly socketSubscriptions: Gauge;
  readonly socketMessages: Counter<"direction">;
  readonly socketConflated: Counter<"kind">;
  readonly socketClosed: Counter<"reason">;
}

export interface EngineReading {
  readonly sequence: number;
  readonly durableSequence: number;
  readonly running: boolean;
}

export interface TablesGauges {
  readonly sequence: number;
  readonly waitingBytes: number;
  readonly tries: number;
  readonly state: "level" | "behind" | "stopped";
}

export interface MetricsOptions {
  readonly processMetrics?: boolean;
  readonly readEngine?: () => EngineReading;
  readonly readClock?: () => ClockReading;
  /** Nothing while there are no tables. */
  readonly readTables?: () => TablesGauges | undefined;
}

const REQUEST_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

let ofProcess: Registry | undefined;

/**
 * Observed once, however many exchanges a process has had: the runtime never releases an observer of garbage
 * collections, nor anything in its registry.
 */
function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics === true) {
    for (const metric of processRegistry().getMetricsAsArray()) registry.registerMetric(metric as unknown as Metric);
  }
  if (options.readEngine !== undefined) registerEngine(registers, options.readEngine);
  if (options.readClock !== undefined) registerClock(registers, options.readClock);
  if (options.readTables !== undefined) registerTables(registers, options.readTables);
  const requestSeconds = new RequestTimes({
    name: "cw_http_request_duration_seconds",
    help: "Time to answer a request, by route",
    buckets: REQUEST_BUCKETS_SECONDS,
  });
  // The registry uses only a metric's name and values.
  registry.registerMetric(requestSeconds as unknown as Metric);
  const metrics: Metrics = {
    registry,
    requestSeconds,
    visits: new Visits(),
    readRunning: () => 0,
    refusals: new Counter({
      name: "cw_http_refusals_total",
      help: "Requests refused at the edge, by code",
      labelNames: ["code"],
      registers,
    }),
    policyReports: new Counter({
      name: "cw_csp_reports_total",
      help: "Content security policy violations reported by browsers, by directive",
      labelNames: ["directive"],
      registers,
    }),
    sockets: new Gauge({ name: "cw_sockets", help: "Open WebSocket connections", registers }),
    socketSubscriptions: new Gauge({ name: "cw_socket_subscriptions", help: "Live subscriptions", registers }),
    socketMessages: new Counter({
      name: "cw_socket_messages_total",
      help: "WebSocket messages, by direction",
      labelNames: ["direction"],
      registers,
    }),
    socketConflated: new Counter({
      name: "cw_socket_conflated_total",
      help: "Updates not sent to a slow reader: replaced by a later one (latest) or by a snapshot (sequenced)",
      labelNames: ["kind"],
      registers,
    }),
    socketClosed: new Counter({
      name: "cw_sockets_closed_total",
      help: "WebSocket connections ended by the server, by reason",
      labelNames: ["reason"],
      registers,
    }),
  };
  const running: Gauge = new Gauge({
    name: "cw_http_requests_in_flight",
    help: "Requests being answered",
    registers,
    collect: () => running.set(metrics.readRunning()),
  });
  return metrics;
}

function registerTables(registers: Registry[], read: () => TablesGauges | undefined): void {
  const gauges: readonly [string, string, (reading: TablesGauges) => number][] = [
    ["cw_tables_sequence", "Last command whose events the tables hold", ({ sequence }) => sequence],
    ["cw_tables_waiting_bytes", "Events that wait to be written to the tables", ({ waitingBytes }) => waitingBytes],
    ["cw_tables_failed_tries", "Failed writes since the tables were level; 0 is well", ({ tries }) => tries],
    ["cw_tables_following", "1 while the tables follow the journal", ({ state }) => (state === "level" ? 1 : 0)],
  ];
  for (const [name, help, pick] of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: () => {
        const reading = read();
        if (reading !== undefined) gauge.set(pick(reading));
      },
    });
  }
}

function registerClock(registers: Registry[], read: () => ClockReading): void {
  const show = (name: string, help: string, pick: (reading: ClockReading) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(pick(read()));
      },
    });
  show("cw_clock_ahead_ms", "How far the exchange's clock was moved ahead on purpose", ({ aheadMs }) => aheadMs);
  show(
    "cw_clock_wall_drift_ms",
    "What the machine's clock says beyond the exchange's; far from 0 when it was set",
    ({ wallDriftMs }) => wallDriftMs,
  );
  show("cw_clock_wall_jumps", "How often the machine's clock was seen to leap", ({ wallJumps }) => wallJumps);
}

function registerEngine(registers: Registry[], read: () => EngineReading): void {
  const gauges: readonly [string, string, (reading: EngineReading) => number][] = [
    ["cw_engine_sequence", "Last command the engine applied", (reading) => reading.sequence],
    ["cw_engine_durable_sequence", "Last command known to be on disk", (reading) => reading.durableSequence],
    ["cw_engine_running", "1 while the engine takes commands", (reading) => (reading.running ? 1 : 0)],
  ];
  for (const [name, help, pick] of gauges) {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(pick(read())) });
  }
}
