// Runs one call from the reference with the visitor's own session, and shows the answer as it came.
import { Button } from "@clockwork/ui/button";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { type FormEvent, useState } from "react";
import { usePublicText } from "#words/public-text.ts";
import type { Operation } from "./openapi.ts";

const ANSWER_LETTERS_MAX = 20_000;

/** The initial address: it contains the required members. */
function firstAddress({ path, parameters }: Operation): string {
  const query = parameters.filter(({ place, isRequired }) => place === "query" && isRequired);
  return query.length === 0 ? path : `${path}?${query.map(({ name }) => `${name}=`).join("&")}`;
}

async function run(method: string, address: string, body: string): Promise<string> {
  // biome-ignore lint/style/noRestrictedGlobals: what is typed here goes out as a program's call would, without our headers
  const response = await fetch(address, {
    method,
    headers: body === "" ? { accept: "application/json" } : { "content-type": "application/json" },
    ...(body === "" ? {} : { body }),
  });
  const answer = await response.text();
  try {
    return `${response.status}\n${JSON.stringify(JSON.parse(answer), null, 2)}`;
  } catch {
    return `${response.status}\n${answer}`;
  }
}

export function CallRunner({ operation }: { readonly operation: Operation }) {
  const text = usePublicText();
  const [address, setAddress] = useState(() => firstAddress(operation));
  const [body, setBody] = useState(operation.example ?? "");
  const [answer, setAnswer] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    // Only calls of this exchange: any input remains a path here.
    const path = `/${address.replace(/^[/\\]+/, "")}`;
    setBusy(true);
    try {
      if (body !== "") JSON.parse(body);
      setAnswer((await run(operation.method, path, body)).slice(0, ANSWER_LETTERS_MAX));
    } catch (error) {
      setAnswer(text(error instanceof SyntaxError ? "public.api.badJson" : "public.api.failed"));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void send(event)} className="mt-4 grid gap-3">
      <TextField label={text("public.api.address")} value={address} onChange={setAddress} maxLength={2000} />
      {operation.example !== null && (
        <TextArea label={text("public.api.body")} value={body} onChange={setBody} rows={4} maxLength={100_000} />
      )}
      <div>
        <Button type="submit" size={36} busy={isBusy}>
          {text("public.api.run")}
        </Button>
      </div>
      <div aria-live="polite">
        {answer !== undefined && (
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="max-h-[360px] overflow-auto rounded-card border border-line bg-surface p-3 font-mono text-[12px] leading-5"
          >
            {answer}
          </pre>
        )}
      </div>
    </form>
  );
}
