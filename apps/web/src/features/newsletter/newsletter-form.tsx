// The newsletter: asking for it, and the two links of its mail, which confirm or leave with one press.
import { NEWSLETTER_CALLS } from "@clockwork/messaging/newsletter/contract";
import { Button } from "@clockwork/ui/button";
import { TextField } from "@clockwork/ui/text-field";
import { type FormEvent, useState } from "react";
import { useCaptcha } from "#session/auth-captcha.ts";
import { useCalls } from "#session/auth-context.ts";
import { usePublicText } from "#words/public-text.ts";

export function NewsletterForm() {
  const text = usePublicText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string>();
  const [state, setState] = useState<"open" | "busy" | "sent">("open");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === "") return setProblem(text("public.form.required"));
    setState("busy");
    setProblem(undefined);
    const body = { email: email.trim(), source: "newsletter", captcha: await captcha.solve() };
    const answer = await (await calls()).call(NEWSLETTER_CALLS.signUp, body);
    setState(answer.ok ? "sent" : "open");
    if (!answer.ok) setProblem(answer.message === "" ? text("public.form.failed") : answer.message);
  };
  if (state === "sent") return <p role="status">{text("public.mail.sent")}</p>;
  return (
    <form onSubmit={(event) => void send(event)} noValidate className="grid max-w-[480px] gap-4">
      <TextField
        label={text("public.form.email")}
        type="email"
        value={email}
        onChange={setEmail}
        error={problem}
        maxLength={254}
        autoComplete="email"
      />
      <div>
        <Button type="submit" kind="primary" busy={state === "busy"}>
          {text("public.mail.ask")}
        </Button>
      </div>
      <p className="text-label text-muted">{text("public.mail.promise")}</p>
      <noscript>
        <p className="text-muted">{text("public.form.noScript")}</p>
      </noscript>
    </form>
  );
}

/** A press and no mere visit: programs that look through mails open every link. */
export function NewsletterAction({ action, token }: { readonly action: "confirm" | "leave"; readonly token: string }) {
  const text = usePublicText();
  const calls = useCalls();
  const [state, setState] = useState<"open" | "busy" | "done" | "failed">("open");
  const go = async () => {
    setState("busy");
    const answer = await (await calls()).call(NEWSLETTER_CALLS[action], { token }, { isForm: true });
    setState(answer.ok ? "done" : "failed");
  };
  if (state === "done") return <p role="status">{text(`public.mail.${action}.done`)}</p>;
  if (state === "failed") return <p role="alert">{text("public.mail.failed")}</p>;
  return (
    <div>
      <p className="mb-4 text-read">{text(`public.mail.${action}.note`)}</p>
      <Button kind="primary" busy={state === "busy"} onPress={() => void go()}>
        {text(`public.mail.${action}`)}
      </Button>
    </div>
  );
}
