// How much of the limits programs of this account used just now.
import type { KeyLimits } from "@clockwork/domains/apikeys/api";
import { groupThousands } from "@clockwork/kit/decimal";
import { Card } from "@clockwork/ui/card";
import { Progress } from "@clockwork/ui/progress";
import { useKeysText } from "./keys-text.ts";

const write = (count: number): string => groupThousands(String(count));

export interface LimitsCardProps {
  readonly limits: KeyLimits;
  readonly address: string;
}

export function LimitsCard({ limits, address }: LimitsCardProps) {
  const text = useKeysText();
  const rows = [
    [text("limits.weight", { address }), limits.weight],
    [text("limits.burst"), limits.ordersTenSeconds],
    [text("limits.day"), limits.ordersDay],
    [
      limits.connections > 1 ? text("limits.streamsOf", { count: limits.connections }) : text("limits.streams"),
      limits.streams,
    ],
  ] as const;
  return (
    <Card title={text("limits.title")}>
      <div className="flex flex-col gap-4">
        {rows.map(([label, { used, max }]) => (
          <Progress
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
