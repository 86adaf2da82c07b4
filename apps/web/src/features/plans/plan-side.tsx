// Next to the editor of a recurring buy: its past result, the plan as text, and its start.
import { PLAN_CALLS, type Preview } from "@clockwork/earning/plans/contract";
import { formatPercent } from "@clockwork/kit/format";
import { formatDate, formatMinute } from "@clockwork/kit/time";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { type ReactNode, useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount, type PlanForm, planBody } from "./plan-model.ts";

const WAIT_MS = 150;

export interface PartProps {
  readonly form: PlanForm;
  readonly change: (values: Partial<PlanForm>) => void;
}

/** Requested shortly after the last change. */
function usePreview(form: PlanForm, isWhole: boolean): Preview | undefined {
  const calls = useCalls();
  const [preview, setPreview] = useState<Preview>();
  const choice = JSON.stringify({
    coins: form.coins,
    amount: form.amount,
    rhythm: form.rhythm,
    minuteOfDay: form.minuteOfDay,
    weekday: form.weekday,
    monthDay: form.monthDay,
  });
  useEffect(() => {
    if (!isWhole) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await (await calls()).call(PLAN_CALLS.preview, JSON.parse(choice));
      if (!isOver) setPreview(answer.ok ? answer.data : undefined);
    }, WAIT_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [choice, isWhole, calls]);
  return preview;
}

interface SideProps extends PartProps {
  readonly isWhole: boolean;
  readonly isSignedIn: boolean;
  readonly edited: string | undefined;
  readonly onDone: () => void;
}

export function PlanSide({ form, isWhole, isSignedIn, edited, change, onDone }: SideProps) {
  const text = useEarnText();
  const authText = useAuthText();
  const calls = useCalls();
  const preview = usePreview(form, isWhole);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const start = async () => {
    setBusy(true);
    const request = await calls();
    const body = planBody(form);
    const mint = () => request.mintOrderId().slice(-24);
    const answer =
      edited === undefined
        ? await sendIntent("plan", body, { mint, nowMs: Date.now() }, (clientId) =>
            request.call(PLAN_CALLS.create, { ...body, clientId }),
          )
        : await request.call(PLAN_CALLS.update, { ...body, planId: edited });
    setBusy(false);
    if (!answer.ok) {
      setFailure(describeFailure(authText, answer));
      return;
    }
    setFailure("");
    showToast({ title: text("plan.started"), tone: "done" });
    onDone();
  };
  return (
    <div className="grid gap-4">
      <PastCard preview={preview} />
      <Card title={text("plan.the")}>
        <dl className="mb-4 grid gap-2 text-ui">
          <Fact label={text("plan.buys")}>
            {form.coins.map(({ asset, weight }) => `${asset} ${weight}%`).join(", ")}
          </Fact>
          <Fact
            label={text(`plan.${form.rhythm}`)}
          >{`${formatAmount(form.amount === "" ? "0" : form.amount)} USDT`}</Fact>
          <Fact label={text("plan.cap")}>{text("plan.capText")}</Fact>
          {preview?.nextRunsMs[0] === undefined ? null : (
            <Fact label={text("plan.first")}>{formatMinute(preview.nextRunsMs[0])}</Fact>
          )}
        </dl>
        <ul className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-4" aria-label={text("plan.next")}>
          {preview?.nextRunsMs.map((timeMs) => (
            <li key={timeMs} className="figures rounded-lg border border-line p-2 text-label">
              {formatMinute(timeMs).slice(0, 5)}
            </li>
          ))}
        </ul>
        <TextField label={text("plan.name")} value={form.name} maxLength={40} onChange={(name) => change({ name })} />
        {failure === "" ? null : (
          <p role="alert" className="mt-2 text-danger text-ui">
            {failure}
          </p>
        )}
        <div className="mt-4">
          {isSignedIn ? (
            <Button
              kind="primary"
              size={48}
              wide
              busy={isBusy}
              isDisabled={!isWhole || form.name.trim() === "" || form.amount === ""}
              onPress={() => void start()}
            >
              {text(edited === undefined ? "plan.start" : "plan.save")}
            </Button>
          ) : (
            <SiteLink
              to="/login?redirectUrl=%2Fearn%2Frecurring"
              className={buttonClass({ kind: "primary", size: 48, wide: true })}
            >
              {text("loginToSubscribe")}
            </SiteLink>
          )}
        </div>
        <p className="mt-3 text-center text-label text-muted">{text("plan.startNote")}</p>
      </Card>
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className="figures text-right">{children}</dd>
    </div>
  );
}

function PastCard({ preview }: { readonly preview: Preview | undefined }) {
  const text = useEarnText();
  const [putIn, worth] = [Number.parseFloat(preview?.putIn ?? "0"), Number.parseFloat(preview?.worth ?? "0")];
  const share = putIn === 0 ? 0 : worth / putIn - 1;
  if (preview === undefined || preview.points.length < 2) {
    return (
      <Card title={text("plan.past")}>
        <p className="text-muted text-ui">{text("plan.noPast")}</p>
      </Card>
    );
  }
  return (
    <Card title={text("plan.past")}>
      <dl className="mb-3 grid grid-cols-3 gap-2 text-label">
        {[
          [text("plan.putIn", { runs: preview.runs }), formatAmount(preview.putIn), ""],
          [text("plan.worth"), formatAmount(preview.worth), ""],
          [
            text("plan.difference"),
            `${share < 0 ? "" : "+"}${formatPercent(share.toFixed(6))}`,
            share < 0 ? "text-down" : "text-up",
          ],
        ].map(([label, value, tone]) => (
          <div key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className={`figures text-card ${tone}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <AreaCurve
        label={text("plan.past")}
        heightPx={150}
        placeCount={3}
        points={preview.points.map(({ timeMs, putIn: paid, worth: now }) => ({
          value: Number.parseFloat(now),
          place: formatDate(timeMs),
          text: `${formatAmount(now)} / ${formatAmount(paid)} USDT`,
        }))}
      />
      <p className="mt-2 text-label text-muted">{text("plan.pastNote")}</p>
    </Card>
  );
}
