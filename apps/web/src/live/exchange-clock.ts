// The exchange's clock as the browser knows it: the computer's own, corrected by what the socket's answers say. Until the
// first answer, and where both agree as far as can be measured, it is the computer's.

let offsetMs = 0;

/** An answer that was written at `exchangeMs`, to what was sent and received at these times of the computer. */
export function observeExchange(exchangeMs: number, sentMs: number, receivedMs: number): void {
  if (!Number.isFinite(exchangeMs) || sentMs > receivedMs) return;
  const away = exchangeMs - (sentMs + receivedMs) / 2;
  offsetMs = Math.abs(away) <= (receivedMs - sentMs) / 2 ? 0 : Math.round(away);
}

export function exchangeNowMs(): number {
  return Date.now() + offsetMs;
}
