// The live numbers of the home page: the core's own figures, once a second. Paints the served values first, so it is
// whole without JavaScript.

import type { ReactNode } from "react";
import { useChannel, useConnection } from "#live/react.ts";
import { useHomeLateText } from "#words/home-late-text.ts";
import { useHomeText } from "#words/home-text.ts";
import type { SystemStatus } from "./status.ts";
import { SYSTEM_STATUS } from "./status-stream.ts";

/** 1234567 → 1,234,567. A first `Intl` formatter would cost a slow processor a tenth of a second during hydration. */
function group(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function CoreNumbers({ served, version }: { readonly served: SystemStatus | null; readonly version: string }) {
  const text = useHomeLateText();
  const above = useHomeText();
  const channel = useChannel(SYSTEM_STATUS);
  const connection = useConnection();
  const status = channel.value ?? served;
  const live = connection.status === "live";
  const core = status?.core;
  return (
    <section aria-label={text("home.core")} className="border-line border-y bg-surface">
      <div className="container-read py-8">
        <header className="flex items-center gap-4 text-label text-muted">
          <h2>{text("home.core")}</h2>
          <span className="flex items-center gap-2" data-live={live}>
            <span aria-hidden="true" className={`size-1.5 rounded-full ${live ? "bg-text" : "bg-faint"}`} />
            {live ? above("home.live") : connection.settled ? text("home.stale") : above("home.connecting")}
          </span>
          <span className="ml-auto" data-version={version}>
            {text("home.version", { version })}
          </span>
        </header>
        {core === undefined ? (
          <p className="py-6 text-muted">{text("home.unreachable")}</p>
        ) : (
          <Facts core={core} matched={status?.matched} tables={status?.tables} />
        )}
      </div>
    </section>
  );
}

interface FactsProps {
  readonly core: SystemStatus["core"];
  readonly matched: SystemStatus["matched"];
  readonly tables: SystemStatus["tables"];
}

function Facts({ core, matched, tables = { state: "level", forSeconds: 0 } }: FactsProps) {
  const text = useHomeLateText();
  const { ack, trades = 0 } = matched ?? {};
  const hash = core.stateHash?.slice(0, 12);
  return (
    <dl className="mt-4 grid grid-cols-2 gap-y-6 lg:grid-cols-4 lg:divide-x lg:divide-line">
      <Fact label={text("home.trades")} value={group(trades)} name="trades" note={text("home.trades.note")} />
      <Fact
        label={text("home.ack")}
        value={ack === undefined ? "–" : ack.p50Ms.toFixed(2)}
        aside={ack === undefined ? "" : ` / ${ack.p99Ms.toFixed(2)} ms`}
        name="ack"
        note={text(ack === undefined ? "home.ack.none" : "home.ack.note")}
      />
      <Fact
        label={text("home.durable")}
        value={group(core.durableSequence)}
        name="durable"
        note={text("home.pending.note", { count: group(Math.max(0, core.sequence - core.durableSequence)) })}
      />
      <Fact
        label={text("home.state")}
        value={text(`home.state.${core.state}`)}
        name="state"
        note={
          <>
            {text("home.sequence")} <span data-fact="sequence">{group(core.sequence)}</span>
            {tables.state !== "level" && (
              <span className="block" data-fact="tables" role="status">
                {text(`home.tables.${tables.state}`, { seconds: group(tables.forSeconds) })}
              </span>
            )}
            {hash !== undefined && (
              <span className="block truncate">
                {text("home.hash.note", { hash, sequence: group(core.stateHashSequence ?? 0) })}
              </span>
            )}
          </>
        }
      />
    </dl>
  );
}

interface FactProps {
  readonly label: string;
  readonly value: string;
  readonly aside?: string;
  readonly name: string;
  readonly note: ReactNode;
}

function Fact({ label, value, aside = "", name, note }: FactProps) {
  return (
    <div className="min-w-0 pr-4 lg:px-7 lg:first:pl-0">
      <dt className="text-label text-muted">{label}</dt>
      <dd className="mt-1">
        <span className="figures font-semibold text-[24px] leading-8 tracking-[-0.02em]" data-fact={name}>
          {value}
        </span>
        <span className="figures text-muted">{aside}</span>
        <span className="mt-1 block text-label text-muted">{note}</span>
      </dd>
    </div>
  );
}
