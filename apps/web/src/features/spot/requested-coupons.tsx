// One's coupons, opened by the address: where a letter about one leads.
import { Suspense, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";

const CouponsDialog = lazy(() => import("./coupons-dialog.tsx").then((part) => ({ default: part.CouponsDialog })));

export function RequestedCoupons() {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  const [search] = useSearchParams();
  const isAsked = isSignedIn && search.has("coupons");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(isAsked), [isAsked]);
  return <Suspense fallback={null}>{isOpen && <CouponsDialog onClose={() => setOpen(false)} />}</Suspense>;
}
