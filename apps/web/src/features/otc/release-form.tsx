// The seller's proof before the coins are released: by the account's own methods, and by no less than two factors.

import { OTC_ORDER_CALLS, type OtcOrder, type ReleaseBody } from "@clockwork/fiat/otcorders/contract";
import { PASSKEY_CALLS } from "@clockwork/identity/passkeys/contract";
import { SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { SECOND_FACTOR_WORDS } from "@clockwork/kit/otc/order-machine";
import { Button } from "@clockwork/ui/button";
import { PasswordField } from "@clockwork/ui/password-field";
import { TextField } from "@clockwork/ui/text-field";
import { useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { hasPasskeys as canPasskeys, showPasskey } from "#session/passkey-credential.ts";
import { SendCode } from "#session/send-code.tsx";
import type { Act } from "./order-actions.tsx";
import { coinsOf } from "./order-coins.ts";
import type { OtcAction } from "./otc-calls.ts";
import { useOtcText } from "./otc-text.ts";

interface Factors {
  readonly hasTotp: boolean;
  readonly hasPasskeys: boolean;
  readonly hasTradePassword: boolean;
}
type Proof = Omit<ReleaseBody, "orderId">;

const CODE_LENGTH = 6;
const PASSWORD_MIN = 8;

export interface ReleaseFormProps {
  readonly order: OtcOrder;
  readonly action: OtcAction;
  readonly act: Act;
}

export function ReleaseForm(props: ReleaseFormProps) {
  const text = useOtcText();
  const calls = useCalls();
  const [factors, setFactors] = useState<Factors | "failed">();
  useEffect(() => {
    void (async () => {
      const answer = await (await calls()).call(SECURITY_CALLS.overview, {});
      setFactors(answer.ok ? answer.data : "failed");
    })();
  }, [calls]);
  if (factors === undefined) return <p className="text-muted text-ui">{text("order.proving")}</p>;
  if (factors === "failed") return <p className="text-ui text-warn">{text("failed")}</p>;
  const { hasTotp, hasPasskeys, hasTradePassword } = factors;
  const release = (proof: Proof) => void props.act(OTC_ORDER_CALLS.release, proof);
  if (!hasTotp && !hasPasskeys && !hasTradePassword)
    return (
      <p className="text-ui text-warn">
        {SECOND_FACTOR_WORDS}{" "}
        <SiteLink to="/security" className="underline">
          {text("factor.set")}
        </SiteLink>
      </p>
    );
  return (
    <div className="flex flex-col gap-3">
      {(hasTotp || hasTradePassword) && <ByCode {...props} hasTotp={hasTotp} onProof={release} />}
      {hasPasskeys && canPasskeys() && (
        <ByPasskey {...props} isAlone={!hasTotp && !hasTradePassword} onProof={release} />
      )}
    </div>
  );
}

interface WayProps extends ReleaseFormProps {
  readonly onProof: (proof: Proof) => void;
}

/** The authenticator's code, or the fund password with a code that is sent. */
function ByCode({ order, action, hasTotp, onProof }: WayProps & { readonly hasTotp: boolean }) {
  const text = useOtcText();
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const isReady = code.length === CODE_LENGTH && (hasTotp || password.length >= PASSWORD_MIN);
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !action.isBusy) onProof(hasTotp ? { code } : { code, tradePassword: password });
        setCode("");
      }}
    >
      {!hasTotp && (
        <PasswordField
          label={text("order.fundPassword")}
          name="tradePassword"
          size={48}
          value={password}
          onChange={setPassword}
        />
      )}
      <TextField
        label={text(hasTotp ? "order.code.totp" : "order.code.sent")}
        name="release-code"
        className="w-56"
        size={48}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_LENGTH}
        value={code}
        onChange={setCode}
      />
      {!hasTotp && (
        <SendCode
          size={48}
          call={(request, captcha) => request.call(SECURITY_CALLS.stepUpCode, { captcha })}
          note={() => text("order.codeSent")}
        />
      )}
      <Button type="submit" kind="primary" size={48} busy={action.isBusy} isDisabled={!isReady}>
        {text("order.release", coinsOf(order))}
      </Button>
    </form>
  );
}

function ByPasskey({ order, action, isAlone, onProof }: WayProps & { readonly isAlone: boolean }) {
  const text = useOtcText();
  const calls = useCalls();
  const [isRefused, setRefused] = useState(false);
  const show = async () => {
    setRefused(false);
    const challenge = await (await calls()).call(PASSKEY_CALLS.challenge, {});
    const passkey = challenge.ok ? await showPasskey(challenge.data.options) : undefined;
    if (passkey === undefined) setRefused(true);
    else onProof({ passkey });
  };
  return (
    <div>
      <Button
        size={48}
        kind={isAlone ? "primary" : "neutral"}
        icon="fingerprint"
        busy={action.isBusy}
        onPress={() => void show()}
      >
        {text("order.releasePasskey", coinsOf(order))}
      </Button>
      {isRefused && <p className="mt-2 text-[13px] text-warn">{text("order.passkeyRefused")}</p>}
    </div>
  );
}
