// Live examples of the captcha page: the embedded puzzle, and an outside provider through the same door.
import { useState } from "react";
import { Captcha } from "../captcha.tsx";
import { type GeetestStart, geetestSolver, workSolver } from "../logic/captcha.ts";

const getWork = async () => ({ id: "example", salt: "clockwork", zeroBits: 14 });

/** Proof of work. The default: solved in slices, so that the page never stalls. */
export function EmbeddedCaptcha() {
  const [answer, setAnswer] = useState("");
  return (
    <div className="w-80 max-w-full">
      <Captcha solver={workSolver} getChallenge={getWork} onAnswer={({ nonce }) => setAnswer(`nonce ${nonce}`)} />
      <span role="status">{answer}</span>
    </div>
  );
}

/** Replaces the provider's script: the example works without the network. */
const pretendStart: GeetestStart = (_config, ready) => {
  let succeed = () => {};
  const shown = {
    onReady: (listener: () => void) => {
      queueMicrotask(listener);
      return shown;
    },
    onSuccess: (listener: () => void) => {
      succeed = listener;
      return shown;
    },
    onError: () => shown,
    onClose: () => shown,
    showCaptcha: () => setTimeout(() => succeed(), 800),
    getValidate: () => ({ lot_number: "example", pass_token: "example" }),
  };
  ready(shown);
};
const providerSolver = geetestSolver(async () => pretendStart);

/** A provider. When one is configured, only the solver changes. */
export function ProviderCaptcha() {
  const [answer, setAnswer] = useState("");
  return (
    <div className="w-80 max-w-full">
      <Captcha
        solver={providerSolver}
        getChallenge={async () => ({ captchaId: "example" })}
        onAnswer={(given) => setAnswer(Object.keys(given).join(", "))}
      />
      <span role="status">{answer}</span>
    </div>
  );
}
