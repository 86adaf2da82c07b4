// Confirms before something stops for all users. The dialog is fetched on first use: no page of the console opens with
// one.
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import type { TypedConfirmProps } from "./typed-confirm-dialog.tsx";

const TypedConfirmDialog = lazy(async () => ({
  default: (await import("./typed-confirm-dialog.tsx")).TypedConfirmDialog,
}));

export function TypedConfirm(props: TypedConfirmProps) {
  return (
    <Suspense fallback={null}>
      <TypedConfirmDialog {...props} />
    </Suspense>
  );
}
