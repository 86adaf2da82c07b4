// A new key: its secret, shown once. The dialog can be closed when the user confirms that it is stored.
import type { AddedKey } from "@clockwork/identity/apikeys/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { CopyButton } from "@clockwork/ui/copy-button";
import { saveFile } from "@clockwork/ui/hooks/save-file";
import { Icon } from "@clockwork/ui/icon";
import { type ReactNode, useState } from "react";
import { useKeysText } from "./keys-text.ts";

export interface SecretViewProps {
  readonly added: AddedKey;
  readonly onDone: () => void;
}

const BOX = "flex min-h-10 items-center gap-2 rounded-control border border-line px-3 font-mono text-[13px]";

export function SecretView({ added, onDone }: SecretViewProps) {
  const text = useKeysText();
  const { apiKey, secret } = added;
  const [isShown, setShown] = useState(false);
  const [isStored, setStored] = useState(secret === undefined);
  return (
    <div className="flex flex-col gap-4">
      {secret !== undefined && (
        <p className="flex items-start gap-2 rounded-control bg-warn-soft px-3 py-2.5 text-[13px] text-warn">
          <Icon name="warning" className="mt-0.5 shrink-0" />
          {text("secret.warning")}
        </p>
      )}
      <Line label={text("secret.key")}>
        <span className="min-w-0 flex-1 break-all">{apiKey}</span>
        <CopyButton text={apiKey} what={text("secret.key")} />
      </Line>
      {secret !== undefined && (
        <Line label={text("secret.secret")}>
          <span className="min-w-0 flex-1 break-all" data-testid="secret">
            {isShown ? secret : "•".repeat(32)}
          </span>
          <IconButton
            icon={isShown ? "eye-off" : "eye"}
            label={text(isShown ? "secret.hide" : "secret.show")}
            size={28}
            onPress={() => setShown(!isShown)}
          />
          <CopyButton text={secret} what={text("secret.secret")} />
        </Line>
      )}
      {secret !== undefined && (
        <Checkbox isSelected={isStored} onChange={setStored}>
          {text("secret.stored")}
        </Checkbox>
      )}
      <div className="grid grid-cols-2 gap-3">
        {secret === undefined ? (
          <span />
        ) : (
          <Button size={40} wide icon="download" onPress={() => saveKey(apiKey, secret)}>
            {text("secret.file")}
          </Button>
        )}
        <Button kind="primary" size={40} wide isDisabled={!isStored} onPress={onDone}>
          {text("secret.done")}
        </Button>
      </div>
    </div>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <p className="mb-1.5 font-medium text-[13px]">{label}</p>
      <div className={BOX}>{children}</div>
    </div>
  );
}

const saveKey = (apiKey: string, secret: string): void =>
  saveFile("clockwork.env", new Blob([`CW_KEY=${apiKey}\nCW_SECRET=${secret}\n`], { type: "text/plain" }));
