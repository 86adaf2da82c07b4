// In place of the futures form's button where the account's identity level is too low: the way to verification and to the
// demo. In the default run one press gives the level, as one gives test funds.
import { Button } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { useTestLevel } from "#session/test-level.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { IDENTITY_LEVEL } from "../model/use-own.ts";

export function IdentityGate({ base }: { readonly base: string }) {
  const text = useFuturesText();
  return (
    <section className="flex flex-col gap-2 rounded-control border border-line bg-surface p-3" data-identity-gate="">
      <p>{text("gate.why")}</p>
      <SiteLink to="/identity" className={buttonClass({ kind: "primary", size: 40, wide: true })}>
        {text("gate.verify")}
      </SiteLink>
      <TestLevel />
      <SiteLink to={`/simulated/${base}_USDT`} className={buttonClass({ size: 36, wide: true })}>
        {text("gate.demo")}
      </SiteLink>
    </section>
  );
}

function TestLevel() {
  const text = useFuturesText();
  const { state, verify } = useTestLevel(IDENTITY_LEVEL);
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  if (!hasTestFunds) return null;
  return (
    <>
      <Button size={36} wide busy={state === "busy"} onPress={verify}>
        {text("gate.test")}
      </Button>
      {state === "failed" && (
        <p role="alert" className="text-danger">
          {text("gate.failed")}
        </p>
      )}
    </>
  );
}
