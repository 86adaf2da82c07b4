// Earlier draws, each drawn again here from what was published: promise, root, seed and ticket.
import { SPRING_PATHS, type SpringDraw, type SpringDraws } from "@clockwork/domains/spring/api";
import { checkDraw } from "@clockwork/kit/earn/draw";
import { formatDecimal } from "@clockwork/kit/format";
import { Dialog } from "@clockwork/ui/dialog";
import { Badge } from "@clockwork/ui/pill";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { useRewardsText } from "#words/rewards-text.ts";

/** True when it agrees, undefined while its seed is kept. */
export function isRight({ serverSeed, publicSeed, seed, ...draw }: SpringDraw): boolean | undefined {
  if (serverSeed === null || publicSeed === null || seed === null) return undefined;
  return checkDraw({ ...draw, serverSeed, publicSeed, seed }, () => undefined);
}

export function DrawsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useRewardsText();
  const calls = useCalls();
  const [draws, setDraws] = useState<readonly SpringDraw[]>();
  useEffect(() => {
    let isOpen = true;
    const load = async () => {
      const answer = await (await calls()).get<SpringDraws>(SPRING_PATHS.draws);
      if (isOpen) setDraws(answer.ok ? answer.data.draws : []);
    };
    void load();
    return () => {
      isOpen = false;
    };
  }, [calls]);
  return (
    <Dialog title={text("spring.checkTitle")} size="large" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p className="text-muted text-ui">{text("spring.checkLead")}</p>
      {draws?.length === 0 && <p className="text-muted text-ui">{text("spring.noDraws")}</p>}
      <ul>
        {draws?.map((draw) => (
          <DrawLine key={draw.drawId} draw={draw} />
        ))}
      </ul>
    </Dialog>
  );
}

function DrawLine({ draw }: { readonly draw: SpringDraw }) {
  const text = useRewardsText();
  const right = isRight(draw);
  const prize = draw.prize === null ? "–" : formatDecimal(draw.prize, { grouped: true, decimals: 2 });
  const what = draw.card === null ? text("spring.movement", { amount: prize }) : text(`spring.${draw.card}`);
  const isKept = right === undefined;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line py-2 text-ui not-first:border-t">
      <span className="figures text-label text-muted">
        <Minute at={draw.madeAtMs} />
      </span>
      <span className="font-medium text-text">{what}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-label text-muted">{draw.drawId}</span>
      <Badge tone={isKept ? "outline" : right ? "up" : "danger"}>
        {text(isKept ? "spring.tomorrow" : right ? "spring.agrees" : "spring.differs")}
      </Badge>
    </li>
  );
}
