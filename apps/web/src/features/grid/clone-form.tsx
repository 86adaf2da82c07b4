// Clones a bot with own funds: the amount, the agreement before the first bot, and one intent under one id. Used by the
// ranking and a bot's own page, for grids and for baskets.

import { formatDecimal } from "@clockwork/kit/format";
import type { ClonePlan } from "@clockwork/strategies/grid/contract";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { ConfirmDialog } from "@clockwork/ui/confirm-dialog";
import { TextField } from "@clockwork/ui/text-field";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { loginPath } from "#session/login-path.ts";
import { ShortFunds } from "#session/short-funds.tsx";
import { Fact } from "./figures.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import type { CloneSource } from "./model/clone-source.ts";
import { gridIntent } from "./model/grid-intent.ts";
import { useAgreement } from "./use-agreement.ts";
import { useFree } from "./use-free.ts";

export interface CloneFormProps {
  readonly source: CloneSource;
  readonly isSignedIn: boolean;
  /** The minimum investment; null while the price is outside the range, undefined until it is loaded. */
  readonly least?: string | null | undefined;
}

export function CloneForm({ source, isSignedIn, least }: CloneFormProps) {
  const text = useGridText();
  const { pathname, search } = useLocation();
  const [investment, setInvestment] = useState("1000");
  const { free, requestAgain } = useFree(source.biz, isSignedIn);
  const help = [
    ...(free === undefined ? [] : [text("ranking.free", { amount: money(free) })]),
    ...(typeof least === "string" ? [text("ranking.least", { amount: cost(least) })] : []),
  ].join(", ");
  const isShort = typeof least === "string" && Number(investment) < Number(least);
  return (
    <>
      <TextField
        label={text("label.investment")}
        value={investment}
        inputMode="decimal"
        suffix={<span className="text-muted">USDT</span>}
        onChange={setInvestment}
        {...(isShort ? { error: help } : help === "" ? {} : { help })}
      />
      <ShortFunds
        asset="USDT"
        account={source.biz === "spot" ? "spot" : "futures"}
        free={free}
        wanted={investment}
        onFunded={requestAgain}
      />
      {source.plan !== undefined && <Quantity id={source.id} plan={source.plan} investment={investment} />}
      {least === null && <p className="text-label text-warn">{text("refusal.GRID_PRICE_OUTSIDE")}</p>}
      {isSignedIn ? (
        <Use source={source} investment={investment} />
      ) : (
        <a className="text-center font-medium underline" href={loginPath(pathname, pathname + search)}>
          {text("create.signIn")}
        </a>
      )}
      <p className="text-label text-muted">{text("ranking.copies")}</p>
    </>
  );
}

const REQUEST_MS = 300;

type PlanSource = NonNullable<CloneSource["plan"]>;

/** What the amount would start with now, shortly after it was typed; undefined until it is loaded. */
function useClonePlan(id: number, clone: PlanSource["clone"], investment: string): ClonePlan | undefined {
  const calls = useCalls();
  const [known, setKnown] = useState<{ readonly of: string; readonly plan: ClonePlan | undefined }>();
  useEffect(() => {
    let isThere = true;
    const ask = async (): Promise<void> => {
      const client = await calls();
      const answer = await client.call(clone, { id, investment });
      if (isThere) setKnown({ of: investment, plan: answer.ok ? answer.data : undefined });
    };
    const timer = setTimeout(() => void ask().catch(() => undefined), REQUEST_MS);
    return () => {
      isThere = false;
      clearTimeout(timer);
    };
  }, [calls, id, clone, investment]);
  return known?.of === investment ? known.plan : undefined;
}

interface QuantityProps {
  readonly id: number;
  readonly plan: PlanSource;
  readonly investment: string;
}

function Quantity({ id, plan: { clone, base }, investment }: QuantityProps) {
  const text = useGridText();
  const plan = useClonePlan(id, clone, investment);
  return (
    <>
      <dl>
        <Fact label={text("label.quantity")}>
          {plan === undefined || plan.quantity === null ? "–" : `${plan.quantity} ${base}`}
        </Fact>
        <Fact label={text("ranking.startCost")}>
          {plan === undefined || plan.startCost === null ? "–" : `${cost(plan.startCost)} USDT`}
        </Fact>
      </dl>
      {typeof plan?.refusal === "string" && plan.refusal !== "GRID_PRICE_OUTSIDE" && (
        <p className="text-label text-warn">{text(keyOf("refusal", plan.refusal))}</p>
      )}
    </>
  );
}

/** What is paid rounds up. */
const cost = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true, rounding: "ceil" });
const money = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true });

function Use({ source, investment }: Pick<CloneFormProps, "source"> & { readonly investment: string }) {
  const text = useGridText();
  const calls = useCalls();
  const navigate = useNavigate();
  const { id, biz, follow, page } = source;
  const { agreed, agree } = useAgreement(biz, true);
  const [isChecked, setChecked] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const use = async (): Promise<void> => {
    setBusy(true);
    if (agreed === false) await agree();
    const client = await calls();
    const answer = await sendIntent(follow.path, { id, investment }, gridIntent(client), (clientId) =>
      client.call(follow, { id, investment, clientId }),
    );
    setBusy(false);
    if (answer.ok) await navigate(`${page}/${answer.data.id}`);
    else setFailure(answer.message);
  };
  return (
    <>
      {agreed === false && (
        <Checkbox isSelected={isChecked} onChange={setChecked}>
          {text("create.agree")}
        </Checkbox>
      )}
      <ConfirmDialog
        title={text("ranking.confirm")}
        onConfirm={() => void use()}
        trigger={
          <Button kind="primary" wide busy={isBusy} isDisabled={agreed !== true && !isChecked}>
            {text("ranking.use")}
          </Button>
        }
      >
        <p className="text-muted">{text("ranking.effect", { amount: money(investment) })}</p>
      </ConfirmDialog>
      {failure !== undefined && (
        <p role="alert" className="text-danger text-label">
          {failure}
        </p>
      )}
    </>
  );
}
