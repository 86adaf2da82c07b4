// How much of the limits programs of this account used just now.
import type { KeyLimits } from "@clockwork/identity/apikeys/contract";
import { groupThousands } from "@clockwork/kit/decimal";
import { Card } from "@clockwork/ui/card";
import { useKeysText } from "./keys-text.ts";

const write = (count: number): string => groupThousands(String(count));

export interface LimitsCardProps {
  readonly limits: KeyLimits;
  readonly address: string;
}

export function LimitsCard({ limits, address }: LimitsCardProps) {
  const text = useKeysText();
  const { connections } = limits;
  const rows = [
    [text("limits.weight", { address }), limits.weight],
    [text("limits.burst"), limits.ordersTenSeconds],
    [text("limits.day"), limits.ordersDay],
    [connections > 1 ? text("limits.streamsOf", { count: connections }) : text("limits.streams"), limits.streams],
  ] as const;
  return (
    <Card title={text("limits.title")}>
      <div className="flex flex-col gap-4">
        {rows.map(([label, { used, max }]) => (
          <Meter
            key={label}
            label={label}
            detail={
              max === 0
                ? text("limits.none", { used: write(used) })
                : text("limits.used", { used: write(used), max: write(max) })
            }
            share={max === 0 ? 0 : Math.min(1, used / max)}
          />
        ))}
      </div>
    </Card>
  );
}

interface MeterProps {
  readonly label: string;
  readonly detail: string;
  /** 0 to 1. */
  readonly share: number;
}

/** Nothing in progress ends here: the used part matters, so it is highlighted. */
function Meter({ label, detail, share }: MeterProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3 text-[13px]">
        <span className="min-w-0 break-words text-muted">{label}</span>
        <span className="figures shrink-0 font-medium text-text">{detail}</span>
      </div>
      <meter className="sr-only" min={0} max={1} value={share} aria-label={label}>
        {detail}
      </meter>
      <span aria-hidden="true" className="h-1 w-full overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-info" style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}
