// The line at the bottom: how the connection is, how long an order took, other markets, hotkeys, the clock with its zone.

import { formatDecimal } from "@clockwork/kit/format";
import { readTimezone, timezoneValue } from "@clockwork/kit/timezone";
import { TIMEZONES } from "@clockwork/kit/timezone-list";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { Change } from "@clockwork/ui/figure";
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Icon } from "@clockwork/ui/icon";
import { KeyCap } from "@clockwork/ui/pill";
import { Suspense, useContext, useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal, useGlobalStore } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { LiveContext, useChannel, useConnection } from "#live/react.ts";
import { chooseTimezone } from "#session/settings.ts";
import { clockText, zoneName } from "#trade/clock-text.ts";
import { ChoiceDrop } from "#trade/drop.tsx";
import { percentText } from "#trade/market-words.ts";
import { useProduct } from "#trade/product.ts";
import { useLinked, useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

const HelpSheet = lazy(() => import("./help-sheet.tsx").then((module) => ({ default: module.HelpSheet })));

const STRIP_MAX = 3;

export function StatusBar() {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  return (
    <section aria-label={text("statusBar")} className="t-status">
      <ConnectionState />
      <OrderAck />
      {pair.isSimulated && (
        <span className="t-status-part text-warn" title={text("simulatedNote")}>
          {text("simulated")}
        </span>
      )}
      <Strip />
      <span className="ml-auto flex h-full items-center">
        <Help />
        <Clock />
      </span>
    </section>
  );
}

const LATENCY_EVERY_MS = 2_000;

function useLatency(): number | undefined {
  const hub = useContext(LiveContext);
  const [latencyMs, setLatency] = useState<number>();
  useEffect(() => {
    if (hub === undefined) return;
    const read = () => setLatency(hub.socket.latencyMs);
    const timer = setInterval(read, LATENCY_EVERY_MS);
    const first = setTimeout(read, 300);
    return () => {
      clearInterval(timer);
      clearTimeout(first);
    };
  }, [hub]);
  return latencyMs;
}

const NAMES = { live: "connected", polling: "polling", stale: "disconnected", offline: "offline" } as const;

function ConnectionState() {
  const text = useTerminalText();
  const { status, settled } = useConnection();
  const latencyMs = useLatency();
  const bars = status !== "live" ? 0 : latencyMs === undefined || latencyMs < 80 ? 4 : latencyMs < 200 ? 3 : 2;
  return (
    <span className="t-status-part" data-connection={settled ? status : "connecting"}>
      <svg width={14} height={10} viewBox="0 0 14 10" aria-hidden="true">
        {[0, 1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={bar * 3.6}
            y={7.5 - bar * 2.5}
            width={2.4}
            height={2.5 + bar * 2.5}
            className={bar < bars ? "fill-text" : "fill-line-strong"}
          />
        ))}
      </svg>
      <span className="font-semibold">{text(settled ? NAMES[status] : "connecting")}</span>
      {status === "live" && latencyMs !== undefined && (
        <span className="figures text-muted">{text("latency", { value: Math.round(latencyMs) })}</span>
      )}
    </span>
  );
}

function OrderAck() {
  const text = useTerminalText();
  const ackMs = useLinked(useTerminalLink().orderAckMs);
  if (ackMs === null) return null;
  return (
    <span className="t-status-part">
      <span className="text-muted">{text("orderAck")}</span>
      <span className="figures font-semibold">{text("latency", { value: ackMs.toFixed(1) })}</span>
    </span>
  );
}

/** The most traded other pairs: served first, live once they flow. */
function Strip() {
  const { strip, pair } = useTerminalData();
  const { value } = useChannel(useProduct().market.allTickers);
  const live = new Map(value.map((quotation) => [quotation.pairCode, quotation]));
  const shown = strip.filter(({ pairCode }) => pairCode !== pair.pairCode).slice(0, STRIP_MAX);
  return (
    <span className="t-status-part figures gap-4 max-xl:hidden">
      {shown.map((served) => (
        <StripEntry key={served.pairCode} quotation={live.get(served.pairCode) ?? served} />
      ))}
    </span>
  );
}

function StripEntry({ quotation }: { readonly quotation: Quotation }) {
  const { path, words } = useProduct();
  const places = quotation.last.split(".")[1]?.length ?? 0;
  return (
    <SiteLink to={`${path}/${quotation.pairCode}`} className="flex gap-1.5 hover:text-text">
      <span className="text-muted">{words.nameOf(quotation.pairCode)}</span>
      <span className="font-semibold">{formatDecimal(quotation.last, { decimals: places, grouped: true })}</span>
      <Change text={percentText(quotation.changePercent)} />
    </SiteLink>
  );
}

function Help() {
  const text = useTerminalText();
  const [isOpen, setOpen] = useState(false);
  useHotkey("?", () => setOpen(true));
  return (
    <>
      <button
        type="button"
        className="t-status-part hover:text-text"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="keyboard" size={14} className="text-muted" />
        <span className="text-muted">{text("hotkeys")}</span>
        <KeyCap>?</KeyCap>
      </button>
      <Suspense fallback={null}>{isOpen && <HelpSheet onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** The exchange's clock in the chosen zone. Empty until hydration: the server's second is not the reader's. */
function Clock() {
  const text = useTerminalText();
  const store = useGlobalStore();
  const timezone = useGlobal((state) => state.timezone);
  const [nowMs, setNow] = useState<number>();
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const choices = TIMEZONES.map((zone) => ({ id: timezoneValue(zone), title: zoneName(timezoneValue(zone)) }));
  return (
    <ChoiceDrop
      label={text("clock")}
      align="end"
      buttonClass="t-status-part hover:text-text"
      button={
        <>
          <span className="sr-only">{text("clock")}</span>
          <span className="figures inline-block min-w-[52px] text-muted">
            {nowMs === undefined ? "" : clockText(nowMs, timezone)}
          </span>
          <span className="font-semibold">{zoneName(timezone)}</span>
          <Icon name="chevron-down" size={12} />
        </>
      }
      choices={choices}
      selected={timezone}
      onChoose={(id) => chooseTimezone(store, timezoneValue(readTimezone(id)))}
    />
  );
}
