// Notices of the trading screens. Their code is fetched with the first one: a page that has nothing to say does not carry it.
import type { ToastMessage } from "@clockwork/ui/toast";

export function notify(message: ToastMessage): void {
  void import("@clockwork/ui/toast").then(({ showToast }) => showToast(message));
}
