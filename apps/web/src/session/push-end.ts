// Ends the pushes of this browser: the push service answers the next one with "gone", and the server removes it.

/** Nothing where there is no subscription. */
export async function endPush(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await worker?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
