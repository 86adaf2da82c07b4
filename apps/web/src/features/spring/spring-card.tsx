// Spring cards: the five of them with how many are held, draws of today, the pool and its promise, and earlier draws to
// check in the visitor's own browser.
import { SPRING_CALLS, type SpringDraw, type SpringState } from "@clockwork/growth/spring/contract";
import { formatDecimal } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Badge } from "@clockwork/ui/pill";
import { Suspense, useState } from "react";
import { useRevalidator } from "react-router";
import { lazy } from "#boot/timeout.ts";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { formatShortDay } from "#words/day-text.ts";
import { type RewardsText, useRewardsText } from "#words/rewards-text.ts";
import { CardDrawing } from "./card-drawings.tsx";

const DrawsDialog = lazy(() => import("./draws-dialog.tsx").then((part) => ({ default: part.DrawsDialog })));

type Activity = NonNullable<SpringState["activity"]>;
type Own = NonNullable<SpringState["own"]>;
/** With as few decimals as it has, two at most. */
const whole = (amount: string): string =>
  formatDecimal(amount, { grouped: true, decimals: Math.min(2, amount.split(".")[1]?.length ?? 0) });

export function SpringCard({ spring }: { readonly spring: SpringState | null }) {
  const text = useRewardsText();
  if (spring === null) {
    return (
      <Card title={text("spring")}>
        <FailedLine />
      </Card>
    );
  }
  if (spring.activity === null || spring.own === null) return null;
  const { activity, own } = spring;
  const span = { from: formatShortDay(activity.startsAtMs), to: formatShortDay(activity.endsAtMs) };
  return (
    <Card>
      <header className="mb-4 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-card text-text">{text("spring")}</h2>
        {activity.isSimulated && <Badge tone="outline">{text("simulated")}</Badge>}
        <p className="min-w-0 flex-1 basis-60 text-[13px] text-muted">
          {text(activity.isOpen ? "spring.span" : "spring.over", span)}
        </p>
        <p className="text-[13px] text-muted">{text("spring.gives", { amount: whole(activity.volumePerDraw) })}</p>
      </header>
      <div className="flex gap-x-6 gap-y-5 max-xl:flex-col">
        <ul className="grid flex-1 grid-cols-3 gap-3 sm:grid-cols-5">
          {own.cards.map(({ card, held }) => (
            <li
              key={card}
              className={`flex flex-col items-center gap-2 rounded-card border px-2 py-5 text-center ${held > 0 ? "border-line2 text-text" : "border-line2 border-dashed bg-surface text-muted"}`}
            >
              <CardDrawing card={card} />
              <span className="text-ui">
                <span className="block font-medium">{text(`spring.${card}`)}</span>
                <span className="figures text-label text-muted">
                  {held > 0 ? text("spring.held", { count: held }) : text("spring.missing")}
                </span>
              </span>
            </li>
          ))}
        </ul>
        <Draws activity={activity} own={own} />
      </div>
    </Card>
  );
}

function useDraw() {
  const text = useRewardsText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<"draw" | "assemble">();
  const [failure, setFailure] = useState<string>();
  const draw = async (what: "draw" | "assemble") => {
    setFailure(undefined);
    setBusy(what);
    const request = await calls();
    const ids = { mint: () => crypto.randomUUID(), nowMs: Date.now() };
    const answer = await sendIntent(SPRING_CALLS[what].path, {}, ids, (clientId) =>
      request.call(SPRING_CALLS[what], { clientId }),
    );
    setBusy(undefined);
    if (answer.ok)
      (await import("@clockwork/ui/toast")).showToast({ title: describeDrawn(text, answer.data), tone: "done" });
    else setFailure(describeFailure(words, answer));
    await revalidate();
  };
  return { draw, busy, failure };
}

function describeDrawn(text: RewardsText, { card, prize }: SpringDraw): string {
  if (card !== null) return text("spring.drew", { card: text(`spring.${card}`) });
  return prize === null ? text("spring.pending") : text("spring.won", { amount: whole(prize) });
}

function Draws({ activity, own }: { readonly activity: Activity; readonly own: Own }) {
  const text = useRewardsText();
  const { draw, busy, failure } = useDraw();
  const [isChecking, setChecking] = useState(false);
  const all = activity.prizes.reduce((sum, { count }) => sum + count, 0);
  const list = activity.prizes
    .map(({ count, amount }) => text("spring.prize", { count, all, amount: whole(amount) }))
    .join(", ");
  return (
    <section className="border-line xl:w-[430px] xl:border-l xl:pl-5">
      <h3 className="flex items-baseline justify-between font-medium text-text text-ui">
        {text("spring.left")}
        <span className="figures font-semibold text-[20px]">{own.drawsLeft}</span>
      </h3>
      <p className="mt-1 text-[13px] text-muted leading-5">
        {text("spring.pool", { pool: whole(activity.pool), left: whole(activity.left) })}
      </p>
      <p className="mt-1 text-[13px] text-muted leading-5">{text("spring.prizes", { list })}</p>
      <p className="mt-1 flex items-center gap-2 font-mono text-label text-muted">
        {text("spring.promise")} {activity.promise.slice(0, 16)}…{activity.promise.slice(-10)}
        <CopyButton text={activity.promise} what={text("spring.promise")} />
      </p>
      <FormError>{failure}</FormError>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size={36}
          busy={busy === "draw"}
          isDisabled={!activity.isOpen || own.drawsLeft === 0}
          onPress={() => void draw("draw")}
        >
          {text("spring.draw")}
        </Button>
        {own.movements > 0 && (
          <Button kind="primary" size={36} busy={busy === "assemble"} onPress={() => void draw("assemble")}>
            {text("spring.assemble")}
          </Button>
        )}
        <Button kind="ghost" size={36} onPress={() => setChecking(true)}>
          {text("spring.check")}
        </Button>
      </div>
      {isChecking && (
        <Suspense>
          <DrawsDialog onClose={() => setChecking(false)} />
        </Suspense>
      )}
    </section>
  );
}
