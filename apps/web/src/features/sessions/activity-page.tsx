// `/activity`: what was done with the account, newest first, more on demand.
import { type ActivityPage as Page, SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { Minute } from "#shell/moment.tsx";
import { type AccountText, describeOr, useAccountText } from "#words/account-text.ts";
import { ScrollBox } from "./account-scroll.tsx";

/** `signed-in:password` → "Signed in · Password". */
function describeKind(text: AccountText, kind: string): string {
  const [what = "", by] = kind.split(":");
  const plain = what.charAt(0).toUpperCase() + what.slice(1).replaceAll("-", " ");
  const words = describeOr(text, `activity.${what}`, plain);
  return by === undefined ? words : `${words} · ${describeOr(text, `method.${by}`, by)}`;
}

const HEAD = "border-line border-b py-2 pr-4 text-left font-normal text-label text-muted";
const CELL = "h-11 border-line border-b pr-4 text-ui group-last:border-0";

export function ActivityPage({ first }: { readonly first: Page | null }) {
  const text = useAccountText();
  const calls = useCalls();
  const [more, setMore] = useState<readonly Page[]>([]);
  const [busy, setBusy] = useState(false);
  const pages = first === null ? [] : [first, ...more];
  const rows = pages.flatMap((page) => page.rows);
  const before = pages.at(-1)?.nextBefore ?? null;
  const load = async () => {
    if (before === null) return;
    setBusy(true);
    const answer = await (await calls()).call(SESSION_CALLS.activity, { before });
    if (answer.ok) setMore([...more, answer.data]);
    setBusy(false);
  };
  return (
    <AccountFrame title={text("activity.title")}>
      <Card>
        {rows.length === 0 ? (
          <p className="py-6 text-center text-muted">{text(first === null ? "label.failed" : "activity.empty")}</p>
        ) : (
          <ScrollBox label={text("activity.title")}>
            <table className="w-full border-collapse sm:min-w-[560px]">
              <thead>
                <tr>
                  <th className={HEAD}>{text("activity.what")}</th>
                  <th className={`${HEAD} max-sm:hidden`}>{text("devices.device")}</th>
                  <th className={`${HEAD} max-sm:hidden`}>{text("devices.address")}</th>
                  <th className={`${HEAD} pr-0 text-right`}>{text("activity.when")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id} className="group">
                    <td className={`${CELL} font-medium max-sm:py-2`}>
                      {describeKind(text, row.kind)}
                      <span className="block font-normal text-[13px] text-muted sm:hidden">
                        {[row.deviceName === "" ? text("activity.unknown") : row.deviceName, row.address]
                          .filter((part) => part !== "")
                          .join(" · ")}
                      </span>
                    </td>
                    <td className={`${CELL} text-muted max-sm:hidden`}>
                      {row.deviceName === "" ? text("activity.unknown") : row.deviceName}
                    </td>
                    <td className={`${CELL} figures text-muted max-sm:hidden`}>
                      {row.address === "" ? "–" : row.address}
                    </td>
                    <td className={`${CELL} figures whitespace-nowrap pr-0 text-right`}>
                      <Minute at={row.atMs} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
        {before !== null && (
          <div className="mt-4 flex justify-center">
            <Button size={36} busy={busy} onPress={() => void load()}>
              {text("label.more")}
            </Button>
          </div>
        )}
      </Card>
    </AccountFrame>
  );
}
