// The live numbers of the home page: what the core says about itself, once a second. Paints the served values first, so it
// is whole without JavaScript.

import { useHomeText } from "#frame/home-text.ts";
import { useChannel, useConnection } from "#live/react.ts";
import type { SystemStatus } from "./status.ts";
import { SYSTEM_STATUS } from "./status-stream.ts";

/** 1234567 → 1,234,567. A first `Intl` formatter would cost a slow processor a tenth of a second while the page wakes. */
function group(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function CoreNumbers({ served, version }: { readonly served: SystemStatus | null; readonly version: string }) {
  const text = useHomeText();
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
            {live ? text("home.live") : text(connection.settled ? "home.stale" : "home.connecting")}
          </span>
          <span className="ml-auto" data-version={version}>
            {text("home.version", { version })}
          </span>
        </header>
        {core === undefined ? (
          <p className="py-6 text-muted">{text("home.unreachable")}</p>
        ) : (
          <dl className="mt-4 grid grid-cols-2 gap-6 lg:grid-cols-4">
            <Fact label={text("home.state")} value={text(`home.state.${core.state}`)} name="state" />
            <Fact label={text("home.sequence")} value={group(core.sequence)} name="sequence" />
            <Fact label={text("home.durable")} value={group(core.durableSequence)} name="durable" />
            <Fact
              label={text("home.pending")}
              value={group(Math.max(0, core.sequence - core.durableSequence))}
              name="pending"
            />
          </dl>
        )}
      </div>
    </section>
  );
}

function Fact({ label, value, name }: { readonly label: string; readonly value: string; readonly name: string }) {
  return (
    <div>
      <dt className="text-label text-muted">{label}</dt>
      <dd className="figures mt-1 font-semibold text-[24px] leading-8 tracking-[-0.02em]" data-fact={name}>
        {value}
      </dd>
    </div>
  );
}
