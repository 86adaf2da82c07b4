// The device fingerprint for the calls that carry it whole (AUTH-10). Collected once a day; never keeps a form waiting
// for long.
import { systemClock } from "#live/clock.ts";
import { type FingerprintRecord, loadFingerprint } from "#live/fingerprint.ts";
import { browserFingerprint } from "#live/fingerprint-browser.ts";

const WAIT_MS = 2_000;

export async function readDeviceRecord(): Promise<FingerprintRecord | undefined> {
  const late = new Promise<undefined>((done) => setTimeout(() => done(undefined), WAIT_MS));
  const record = loadFingerprint({ source: browserFingerprint, clock: systemClock, storage: localStorage });
  return Promise.race([record.catch(() => undefined), late]);
}
