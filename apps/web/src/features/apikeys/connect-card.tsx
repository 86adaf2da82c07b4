// How a program is pointed here: the few lines that differ from its usual set-up, ready to copy.
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { SiteLink } from "#boot/site-link.tsx";
import { useKeysText } from "./keys-text.ts";
import { SampleView } from "./sample-view.tsx";

export function ConnectCard({ origin }: { readonly origin: string }) {
  const text = useKeysText();
  return (
    <Card>
      <SampleView
        origin={origin}
        label={text("connect.title")}
        title={text("connect.title")}
        lead={text("connect.lead")}
        copyLabel={text("connect.copy")}
        note={text("connect.window")}
        more={
          <SiteLink to="/api-docs/dialect" className={buttonClass({ kind: "ghost", size: 32 })}>
            <Icon name="external" />
            {text("keys.reference")}
          </SiteLink>
        }
      />
    </Card>
  );
}
