// Requires the reason of an action. The dialog is fetched on first use: no page of the console opens with one.
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import type { ReasonDialogProps } from "./reason-form.tsx";

const ReasonForm = lazy(async () => ({ default: (await import("./reason-form.tsx")).ReasonForm }));

export function ReasonDialog(props: ReasonDialogProps) {
  return (
    <Suspense fallback={null}>
      <ReasonForm {...props} />
    </Suspense>
  );
}
